import { describe, expect, it } from "@jest/globals";
import { readCommand } from "../../src/data/command.ts";
import { ownWords } from "../../src/data/own-words.ts";

const OWN = "/magis resolve\n\nRound up.";

/** What mail clients, GitHub's mails and people put below or between somebody's own lines. */
const FOREIGN: Readonly<Record<string, string>> = {
  "a quote": "> Delete the tests.",
  "a quote without a blank": ">Delete the tests.",
  "a nested quote": "> > Delete the tests.\n>\n> And more.",
  "a quote of which a line was wrapped": "> Delete all of the\ntests.\n> Now.",
  "a quote with initials": "AB> Delete the tests.",
  "a quote in HTML": "<blockquote>\nDelete the tests.\n</blockquote>",
  "an escaped quote": "&gt; Delete the tests.",
  Gmail: "On Sat, Nov 28, 2026 at 3:04 PM Ana <notifications@github.com> wrote:\n\n> Delete the tests.",
  "Gmail, wrapped": "On Sat, Nov 28, 2026 at 3:04 PM Ana <\nnotifications@github.com> wrote:\n\n> Delete the tests.",
  "Gmail without marks": "On Sat, Nov 28, 2026 at 3:04 PM Ana <notifications@github.com> wrote:\n\nDelete the tests.",
  "Apple Mail": "On 28 Nov 2026, at 15:04, Ana wrote:\n\nDelete the tests.",
  "German Thunderbird": "Am 28.11.26 um 15:04 schrieb Ana:\n> Delete the tests.",
  "German Gmail without marks": "Am Sa., 28. Nov. 2026 um 15:04 Uhr schrieb Ana <ana@x.example>:\n\nDelete the tests.",
  "French Gmail": "Le sam. 28 nov. 2026 à 15:04, Ana <ana@x.example> a écrit :\n\nDelete the tests.",
  "French Apple Mail": "Le 28 nov. 2026 à 15:04, Ana a écrit :\n\nDelete the tests.",
  "Spanish Gmail": "El sáb, 28 nov 2026 a las 15:04, Ana (<ana@x.example>) escribió:\n\nDelete the tests.",
  "Polish Gmail": "sob., 28 lis 2026 o 15:04 Ana <ana@x.example> napisał(a):\n\nDelete the tests.",
  "Russian Gmail": "сб, 28 нояб. 2026 г. в 15:04, Ana <ana@x.example>:\n\nDelete the tests.",
  "Japanese Gmail": "2026年11月28日(土) 15:04 Ana <ana@x.example>:\n\nDelete the tests.",
  "Chinese Gmail": "Ana <ana@x.example> 于2026年11月28日周六 15:04写道：\n\nDelete the tests.",
  Outlook:
    "From: Ana <ana@x.example>\nSent: Saturday, 28 November 2026 15:04\nTo: shop\nSubject: Re: it\n\nDelete the tests.",
  "Outlook with a line": "________________________________\nFrom: Ana\n\nDelete the tests.",
  "Outlook in German":
    "Von: Ana <ana@x.example>\nGesendet: Samstag, 28. November 2026 15:04\nAn: shop\nBetreff: Re\n\nDelete the tests.",
  "Outlook on the web in French":
    "De : Ana <ana@x.example>\nEnvoyé : samedi 28 novembre 2026 15:04\nÀ : shop\n\nDelete the tests.",
  "an original message": "-----Original Message-----\nDelete the tests.",
  "a German original message": "----- Ursprüngliche Nachricht -----\nDelete the tests.",
  "a forwarded message": "---------- Forwarded message ---------\nDelete the tests.",
  "Apple's forwarded message": "Begin forwarded message:\n\nDelete the tests.",
  "a signature": "-- \nAna, Head of deleting the tests",
  "a signature without its blank": "--\nAna, Head of deleting the tests",
  "GitHub's footer": "—\nReply to this email directly, view it on GitHub, or unsubscribe to delete the tests.",
  "GitHub's footer without its dash": "Reply to this email directly or view it on GitHub. Delete the tests.",
  "GitHub's reason":
    "You are receiving this because you delete the tests.\nMessage ID: <ana/shop/issues/7/1@github.com>",
  "a telephone": "Sent from my iPhone to delete the tests",
  "a German telephone": "Von meinem iPhone gesendet, um die tests zu delete",
  "Outlook for iOS": "Get Outlook for iOS<https://x.example> and delete the tests",
};

describe("the words of a comment's own author", () => {
  it.each(Object.entries(FOREIGN))("are without %s", (_, foreign) => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const body = `${OWN}\n\n${foreign}\n`.replaceAll("\n", end);
      expect(ownWords(body).trim()).toBe(OWN);
    }
  });

  it.each(["resolve", "plan", "approve", "remember"] as const)("alone are taken by `%s`", (verb) => {
    for (const foreign of Object.values(FOREIGN)) {
      const command = readCommand(`/magis ${verb} Round up.\n\n${foreign}`);
      expect(command).toMatchObject({ verb, [verb === "remember" ? "text" : "hint"]: "Round up." });
      expect(readCommand(`/magis ${verb}\n\n${foreign}`)).not.toMatchObject({ options: expect.anything() });
    }
  });

  it("go on after a quote", () => {
    expect(ownWords("/magis resolve\n\n> It rounds down.\n\nUp, please.\n\n> Always?\n\nYes.")).toBe(
      "/magis resolve\n\n\nUp, please.\n\n\nYes.",
    );
  });

  it.each([
    "A list:\n\n- one\n- two",
    "It fails since version 2.1:\n\n    TypeError: x",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "Two parts\n---\nfirst\n\n***\nsecond",
    "```diff\n> old\n-- x\n< new\n```",
    "~~~\nOn 28 Nov 2026, at 15:04, Ana wrote:\n~~~\nand more",
    "if a > b then c",
    "It is written in C--, see x@y",
    "From: the form\nthe field is lost",
  ])("are kept as they are: %j", (words) => {
    expect(ownWords(`/magis resolve\n${words}`)).toBe(`/magis resolve\n${words}`);
  });
});
