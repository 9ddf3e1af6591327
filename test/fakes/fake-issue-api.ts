import { MagisError } from "../../src/model/error.ts";
import type { IssueApi } from "../../src/ports/code-host.ts";
import { renderBody } from "../world/render-body.ts";
import type { HostState } from "./host-state.ts";

const NOW = "2026-01-02T00:00:00Z";

export function fakeIssueApi(state: HostState): IssueApi {
  return {
    readIssue: async () => ({ html: renderBody(state.issue.body), ...state.issue }),
    pullsAbout: async () => [],
    listComments: async () => state.comments.map((one) => ({ html: renderBody(one.body), ...one })),
    permissionOf: async () => "write",
    renderText: async (text) => renderBody(text),
    relativesOf: async () => state.relatives,
    imagesOf: async () => new Map(),
    react: async () => undefined,
    findOwnComment: async (_issue, marker) =>
      state.comments.find(({ author, body }) => author === state.login && body.includes(marker)),
    async createComment(_issue, body) {
      const id = state.next();
      const own = { author: state.login, byBot: true };
      const comment = { id, nodeId: `node-${id}`, ...own, body, createdAt: NOW, updatedAt: NOW };
      state.comments.push(comment);
      return comment;
    },
    async minimiseComment(nodeId) {
      state.minimised.push(nodeId);
    },
    async updateComment(id, body) {
      const at = state.comments.findIndex((comment) => comment.id === id);
      const old = state.comments[at];
      if (!old) throw new MagisError("HOST_NOT_FOUND", `There is no comment ${id}.`);
      state.comments[at] = { ...old, body };
    },
  };
}
