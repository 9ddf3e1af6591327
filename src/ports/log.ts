/** What pino's loggers and their children offer; all that the program needs of a log. */
export interface Log {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}
