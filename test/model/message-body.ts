/** The part of a Messages API body that the scripted model reads, after `checkMessageParams` has passed it. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  readonly cache_control?: { readonly type: "ephemeral" } | null;
}

export interface MessageBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: string | readonly TextBlock[];
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: string | readonly TextBlock[];
  }[];
  readonly output_config?: {
    readonly effort?: string;
    readonly format?: { readonly type: "json_schema"; readonly schema: Readonly<Record<string, unknown>> };
  };
}
