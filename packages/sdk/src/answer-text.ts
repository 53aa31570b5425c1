/** Far beyond the longest page of the service: an answer without an end must not take the memory of its reader. */
export const LONGEST_ANSWER_BYTES = 128 * 1024 * 1024;

/**
 * The whole body of an answer.
 * @throws Error where it is longer than LONGEST_ANSWER_BYTES; what the connection threw
 */
export async function answerText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > LONGEST_ANSWER_BYTES)
      throw new Error(`it is longer than ${LONGEST_ANSWER_BYTES} bytes`);
    text += decoder.decode(value, { stream: true });
  }
}
