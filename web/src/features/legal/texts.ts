import { supportEmail } from '../../lib/support.ts'

/*
 * The terms and the privacy policy of the portal. A center that runs the portal replaces this file's texts with its own, and removes
 * `sampleNote`. docs/security.md lists what is stored, for the privacy policy. The pages and their addresses stay.
 */

/** Sample names, as on the landing page. */
const center = 'Continuing Education Center'

/** This note is shown above both texts. A center that has its own texts leaves it empty. */
export const sampleNote: string = 'This is a sample text. The center that runs this portal replaces it with its own.'

export type LegalSection = {
  readonly title: string
  readonly paragraphs?: readonly string[]
  readonly points?: readonly string[]
}

export type LegalText = { readonly lead: string; readonly sections: readonly LegalSection[] }

const contact: LegalSection = {
  title: 'Who to ask',
  paragraphs: [`Write to the ${center}, Institute Road, 000 000, or to ${supportEmail}.`],
}

export const terms: LegalText = {
  lead: `The ${center} runs this portal. You agree to these terms when you create an account or book a seat in a program.`,
  sections: [
    {
      title: 'Your account',
      points: [
        'Register with your own name, email address and mobile number. We send codes to confirm that they are yours.',
        'Keep your password to yourself. Anyone who knows it can act in your name.',
        'If someone else may know it, set a new one. That ends your sessions on other devices.',
      ],
    },
    {
      title: 'Programs and fees',
      points: [
        'The page of a program says what it teaches, how long it takes and what it costs.',
        'Booking a seat enrolls you in the program. The registration fee is paid once and is not part of the course fee.',
        'The portal takes no payments yet. The center contacts you about them.',
        'The portal cannot cancel an enrollment. To leave a program, write to us.',
      ],
    },
    {
      title: 'Notifications',
      paragraphs: [
        'The center tells you about classes, exams and fees through the portal. Look at your notifications regularly, even if your device does not show them.',
      ],
    },
    {
      title: 'Fair use',
      points: [
        'Do not read or change the data of other people, and do not use their accounts.',
        'Do not disturb the portal, for example with programs that send many requests. If you find a weakness, tell us.',
      ],
    },
    {
      title: 'Changes',
      paragraphs: ['New terms appear on this page.'],
    },
    contact,
  ],
}

export const privacy: LegalText = {
  lead: `The ${center} is responsible for your data in this portal. It stores only what it needs to run the programs and to reach you.`,
  sections: [
    {
      title: 'What we store about you',
      points: [
        'Your name, email address, mobile number, university and student code. They are encrypted, with a key for each person.',
        'Your password, as a hash: it cannot be read from that.',
        'Your enrollments, and whether you have paid for them.',
        'The notifications that were sent to you, and when you read them.',
        'When you log in and out. A security log also has the network address (IP address) and the browser.',
        'Where you allow push notifications: the address of your browser at the push service.',
        'Which notifications you want by push and email, your quiet hours, and which emails told you of them.',
      ],
    },
    {
      title: 'What your device keeps',
      points: [
        'That you are logged in, as whom, and the address of your browser at the push service: until you log out.',
        'Your name, university, email address and number while a registration waits for its codes: in its tab, at most for an hour.',
        'Your latest notifications, encrypted, so that they open without a network: until you log out, at most for seven days.',
        'What you typed and did not send: at most for 30 days.',
        'A cookie by which the portal recognizes a device on which you have logged in: for 180 days.',
      ],
    },
    {
      title: 'Who sees it',
      points: [
        'You see your profile and your notifications.',
        'Admins of the center see your name, email address and whether you have confirmed it, university and student code. They also see your programs, whether you have paid for them, and which notifications you got and read.',
        'The people who operate the portal can read your enrollments, notifications and the security log, but not your password.',
        'Services that deliver for us get what they deliver: codes and mails with your address or number. Push notifications go through the push service of your browser, which cannot read them, or through Firebase Cloud Messaging, a service of Google, which gets their text.',
        'Pictures of programs may come from other websites, which then see the network address of your device.',
        'The portal shows no advertising, and no other website follows what you do here.',
      ],
    },
    {
      title: 'For how long',
      points: [
        'Your account: until it is erased. Registrations that were never finished: a day.',
        'Enrollments and notifications stay after that, without your name. A notification whose own text names you still does.',
        'The security log: as long as the center needs it to find misuse, usually 90 days.',
      ],
    },
    {
      title: 'What you can ask for',
      paragraphs: [
        'You can see what we store about you, and have it corrected or erased. In your profile you can download your data, change your name and delete your account. For everything else write to us.',
      ],
    },
    {
      title: 'Changes',
      paragraphs: ['A new privacy policy appears on this page.'],
    },
    contact,
  ],
}
