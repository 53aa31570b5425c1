import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { TextLink } from '../../parts/index.ts';
import { EntryFrame } from './EntryFrame.tsx';
import classes from './entry.module.css';
import { signInRoute } from './routes.tsx';
import { SignInForm } from './SignInForm.tsx';

export function SignInPage() {
  const search = signInRoute.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const goOn = () => {
    client.clear();
    router.history.replace(search.return ?? '/');
  };
  return (
    <EntryFrame title="Sign in">
      <SignInForm onSignedIn={goOn} />
      <p className={classes.aside}>
        <TextLink to="/reset">Forgot your password?</TextLink>
      </p>
      <p className={classes.aside}>
        New here? Ask an owner of your account for an invitation. The first start of the service
        prints the link for the first owner.
      </p>
    </EntryFrame>
  );
}
