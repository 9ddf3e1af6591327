import { Ajv } from "ajv";
import type { ScriptedAnswer } from "./scripted-answer.ts";
import type { ScriptedCall } from "./scripted-call.ts";
import type { WrittenMessage } from "./written-message.ts";

type Written = Pick<WrittenMessage, "text" | "stopReason" | "cut">;
type Message = Exclude<ScriptedAnswer, { readonly error: unknown }>;

/** What is written for a scripted answer, or the sentence that says why the script is wrong. */
export function toWritten(answer: Message, call: ScriptedCall): Written | { readonly fault: string } {
  if ("json" in answer) {
    const wrong = answer.raw === true ? undefined : schemaFault(answer.json, call);
    return wrong === undefined ? { text: JSON.stringify(answer.json), stopReason: "end_turn" } : { fault: wrong };
  }
  if ("stop" in answer) return { text: answer.text ?? "", stopReason: answer.stop };
  if ("cut" in answer) {
    return { text: answer.text ?? "This answer breaks off half way.", stopReason: "end_turn", cut: answer.cut };
  }
  if (call.schema !== undefined && answer.raw !== true) {
    return { fault: `The script answers ${call.promptId} with text where its schema asks for JSON.` };
  }
  return { text: answer.text, stopReason: "end_turn" };
}

function schemaFault(json: unknown, call: ScriptedCall): string | undefined {
  if (call.schema === undefined) return undefined;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(call.schema);
  if (validate(json)) return undefined;
  const why = ajv.errorsText(validate.errors, { dataVar: "answer" });
  return `The scripted answer to ${call.promptId} (call ${call.n}) does not fit its schema: ${why}`;
}
