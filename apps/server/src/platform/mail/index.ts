import { createTransport } from 'nodemailer';

export type Mail = { to: string; subject: string; text: string };

export type Mailer = {
  /** @throws where the mail server cannot be reached or refuses it. */
  send(mail: Mail): Promise<void>;
};

const TIMEOUT_MS = 10_000;

/** Sends plain text by SMTP; `url` is smtp:// or smtps://, `from` an address with or without a name. */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(url, {
    from,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
  };
}
