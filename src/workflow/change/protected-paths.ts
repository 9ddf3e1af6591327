/** The configuration itself: what would let the bot change its own limits cannot be lifted. */
export const OWN_CONFIGURATION: readonly string[] = ["/.github/magis.yml"];

/**
 * What is protected unless `unprotect` lifts it, in the form of .gitignore, in any case of letters: what runs with the
 * repository's rights, who must review, the licence, and what tells agents what to do.
 */
export const PROTECTED_PATHS: readonly string[] = [
  "/.github/workflows/**",
  "CODEOWNERS",
  "/LICENSE*",
  "/LICENCE*",
  "/COPYING*",
  "LICENSE",
  "LICENSE.md",
  "LICENSE.txt",
  "LICENCE",
  "LICENCE.md",
  "LICENCE.txt",
  "COPYING",
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
  ".claude",
  ".cursor",
  ".cursorrules",
  ".gemini",
  ".codex",
  ".windsurf",
  ".windsurfrules",
  ".clinerules",
  ".mcp.json",
  "/.github/copilot-instructions.md",
  "/.github/instructions/**",
  "/.github/prompts/**",
  "/.github/agents/**",
];
