/** The parts of an OpenAPI 3 document that the contract reads. */
export interface Description {
  paths?: Record<string, Record<string, OperationNode>>;
  webhooks?: Record<string, unknown>;
  components: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Body>;
  };
}

export interface OperationNode {
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: { type?: string; enum?: unknown[]; $ref?: string };
  $ref?: string;
}

interface Body {
  $ref?: string;
  required?: boolean;
  content?: Record<string, unknown>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  nullable?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}
