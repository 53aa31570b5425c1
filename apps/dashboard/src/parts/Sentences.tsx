import classes from './parts.module.css';

/** A list of sentences that never changes, e.g. what was wrong with a request. */
export const Sentences = ({ of }: { of: readonly string[] }) => (
  <ul className={classes.sentences}>
    {of.map((sentence, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes
      <li key={index}>{sentence}</li>
    ))}
  </ul>
);
