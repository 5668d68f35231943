/** The title and the line below it, also in the page that is shown before the scripts have loaded (build/shell). */
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
