/** A number, or a name where the field has names; throws when the field does not allow it. */
export function readValue(text, field) {
  const value = field.names?.get(text.toLowerCase()) ?? Number(text);
  if (!Number.isInteger(value) || value < field.min || value > field.max) {
    throw new RangeError(`bad ${field.key}: ${text}`);
  }
  return value;
}
