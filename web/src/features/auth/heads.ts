/** The title of each page and the line below it. */
export const heads = {
  login: {
    title: 'Welcome back',
    subtitle: 'Log in with your personal email to access your minor programs.',
  },
  account: { title: 'Create Account', subtitle: 'One account for all your programs.' },
  reset: {
    title: 'Reset Password',
    subtitle: 'Enter your personal email and we’ll send you a reset link.',
  },
} as const
