const lineOf = (at: number) =>
  `    result += table_${at % 53}[value % ${(at % 89) + 2}] * state->factor - offset_${at % 31};\n`;

const functionOf = (at: number) => `/* Handles step ${at}. */
static int step_${at}(struct state *state, int value)
{
    int result = value + ${at % 97};
    if (state->depth > ${(at % 13) + 1})
        return report_${at % 211}(state, "step ${at} went too deep");
    for (int i = 0; i < ${(at % 17) + 2}; i++)
        result += table_${at % 53}[i] * state->factor;
${Array.from({ length: 12 }, (_, line) => lineOf(at * 7 + line)).join("")}    state->last = result;
    return result;
}

`;

/**
 * A C program of at least `bytes` bytes that looks handwritten: functions of two dozen lines with different names.
 * `middle` goes between two functions near its middle.
 */
export function largeSource(bytes: number, middle = ""): string {
  const functions: string[] = ["#include <stdio.h>\n\n"];
  let length = 0;
  for (let at = 0; length < bytes; at++) {
    if (length >= bytes / 2 && middle !== "") {
      functions.push(middle);
      length += middle.length;
      middle = "";
    }
    const text = functionOf(at);
    functions.push(text);
    length += text.length;
  }
  return functions.join("");
}
