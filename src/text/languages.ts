/**
 * Names that people write behind a code fence. GitHub does not show that word: only a known one says something of the
 * code, any other could say anything.
 */
export const LANGUAGES: ReadonlySet<string> = new Set(
  `ada asm astro awk bash bat batch c c# c++ cc clj clojure cmake cmd coffee coffeescript console cpp cs csharp css csv
cuda cxx d dart diff docker dockerfile dotenv elixir elm env erl erlang ex exs f# f90 fish fortran fsharp gawk geojson
glsl go golang gql gradle graphql groovy h haml haskell hbs hcl hpp hs html http ini ipynb java javascript js json
json5 jsonc jsonl jsp jsx julia jl kotlin kt kts latex less lisp log lua m make makefile markdown math matlab md mdx
mermaid mjs ml mm nasm nginx nim nix objc objective-c ocaml pascal patch perl php pl plaintext plsql postgresql
powershell prisma proto protobuf ps1 puppet pwsh py python python3 r rake rb react rego rest rs rst ruby rust sass
scala scheme scss sh shell shell-session solidity sql stl suggestion svelte svg swift tcl terraform tex text tf toml topojson
ts tsv tsx twig txt typescript v vb vbnet verilog vhdl vim vue wasm wat xhtml xml yaml yml zig zsh`.split(/\s/),
);
