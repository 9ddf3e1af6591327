import type { MessageBody } from "./message-body.ts";
import { schemaFault } from "./schema-fault.ts";
import type { ScriptedAnswer } from "./scripted-answer.ts";
import type { ScriptedCall } from "./scripted-call.ts";
import type { WrittenMessage } from "./written-message.ts";

type Written = Pick<WrittenMessage, "text" | "stopReason" | "cut"> & {
  readonly calls: readonly { readonly name: string; readonly json: string }[];
};
type Message = Exclude<ScriptedAnswer, { readonly error: unknown }>;
type ToolAnswer = Extract<ScriptedAnswer, { readonly tools: unknown }>;
type Fault = { readonly fault: string };

/** The message for a scripted answer, or a sentence that says why the script is wrong. */
export function toWritten(answer: Message, call: ScriptedCall, tools: MessageBody["tools"] = []): Written | Fault {
  const calls: Written["calls"] = [];
  if ("tools" in answer) return toCalls(answer, call, tools);
  const answering = tools.filter(({ strict }) => strict === true);
  if ("json" in answer && answering.length > 0 && answer.raw !== true) return toAnswer(answer.json, call, answering);
  if ("json" in answer) {
    const wrong =
      answer.raw === true || call.schema === undefined ? undefined : schemaFault(answer.json, call.schema, "answer");
    if (wrong === undefined) return { text: JSON.stringify(answer.json), calls, stopReason: "end_turn" };
    return { fault: `The scripted answer to ${call.promptId} (call ${call.n}) does not fit its schema: ${wrong}` };
  }
  if ("stop" in answer) return { text: answer.text ?? "", calls, stopReason: answer.stop };
  if ("cut" in answer) {
    const text = answer.text ?? "This answer breaks off half way.";
    return { text, calls, stopReason: "end_turn", cut: answer.cut };
  }
  if ((call.schema !== undefined || answering.length > 0) && answer.raw !== true) {
    return { fault: `The script answers ${call.promptId} with text where its schema asks for JSON.` };
  }
  return { text: answer.text, calls, stopReason: "end_turn" };
}

/** A call of the strict tool whose schema `json` fits. */
function toAnswer(json: unknown, call: ScriptedCall, tools: NonNullable<MessageBody["tools"]>): Written | Fault {
  const faults = tools.map(({ name, input_schema }) => ({ name, wrong: schemaFault(json, input_schema, "answer") }));
  const fits = faults.find(({ wrong }) => wrong === undefined);
  if (fits) return { text: "", calls: [{ name: fits.name, json: JSON.stringify(json) }], stopReason: "tool_use" };
  const reasons = faults.map(({ name, wrong }) => `${name}: ${wrong}`).join("; ");
  return { fault: `The scripted answer to ${call.promptId} (call ${call.n}) fits no tool that answers: ${reasons}` };
}

function toCalls(answer: ToolAnswer, call: ScriptedCall, tools: NonNullable<MessageBody["tools"]>): Written | Fault {
  const where = `The script for ${call.promptId} (call ${call.n})`;
  if (answer.tools.length === 0) return { fault: `${where} calls tools, but names none.` };
  // The API prevents even a faulty model from doing this.
  if (call.mustAnswer) return { fault: `${where} calls tools where none may be called.` };
  for (const { name, input } of answer.raw === true ? [] : answer.tools) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return { fault: `${where} calls ${name}, which is not on offer.` };
    const wrong = schemaFault(input, tool.input_schema, "input");
    if (wrong !== undefined) return { fault: `${where} calls ${name} with an input that does not fit: ${wrong}` };
  }
  const calls = answer.tools.map(({ name, input }) => ({ name, json: JSON.stringify(input) }));
  return { text: answer.text ?? "", calls, stopReason: "tool_use" };
}
