import { useApi } from '../../api/index.ts';
import { None, Section, TextLink } from '../../parts/index.ts';
import classes from './keys.module.css';

type Params = { account: string; key: string };

/** The forms that share a key; none until they are known. */
export function useFormsOf({ account, key }: Params) {
  const { data } = useApi('listForms', { params: { account } });
  return data?.forms.filter((form) => form.key.id === key) ?? [];
}

/** Which forms share the key; nothing where none does. */
export function KeyForms({ params }: { params: Params }) {
  const forms = useFormsOf(params);
  if (forms.length === 0) return null;
  return (
    <Section
      title="Forms"
      description="What is sent with them counts against the rate limit of this key. Without the key they take nothing."
    >
      <ul className={classes.list}>
        {forms.map(({ id, name, active }) => (
          <li key={id}>
            <TextLink
              to="/a/$account/forms/$form"
              params={{ account: params.account, form: id }}
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
            >
              {name}
            </TextLink>
            {active ? null : (
              <>
                {' '}
                <None>(switched off)</None>
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
