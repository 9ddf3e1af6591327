/** What the audit log keeps: who asked for what and how it was answered, and each write. No content, no secrets. */
export type AuditEntry =
  | {
      what: "request";
      /** GitHub's id of the webhook; a delivery that is taken up again after a crash is recorded again */
      delivery: string;
      /** `OWNER/REPO` */
      repository: string;
      number: number;
      /** login of who asked; of an event that nobody asked for, who caused it */
      person: string;
      /** the event, and the command where one was given: `label`, `command`, `other-command cancel` */
      asked: string;
      /** an admitted request starts its run, unless the issue has an unfinished one */
      answer: "admitted" | "cancels runs" | "wakes runs" | "refused";
      /** why it was refused, a sentence of ours */
      reason?: string;
      run?: string;
    }
  | {
      what: "write";
      /** `OWNER/REPO`; absent for requests about no repository */
      repository?: string | undefined;
      /** how it was made: `POST`, `PATCH`, `git push` */
      method: string;
      /** the API's path, or the full name of a ref */
      place: string;
      /** of GitHub's answer; 0 when none came, or for a push that failed */
      status: number;
      milliseconds: number;
    };

export type Audit = (entry: AuditEntry) => void;
