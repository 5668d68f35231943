/** What search engines and previews of links show of a page. The title is the one that the page itself shows. */
export type PagePreview = { readonly title: string; readonly description: string }

/** The pages of the web client that anyone can open and share. */
export const publicPages: Readonly<Record<`/${string}`, PagePreview>> = {
  '/home': {
    title: 'Add a Minor to your degree',
    description:
      'A part-time Minor certificate for university students: four tracks, taught live online after your own lectures.',
  },
  '/login': {
    title: 'Welcome back',
    description: 'Log in with your personal email to access your minor programs.',
  },
  '/register': { title: 'Create Account', description: 'One account for all your programs.' },
  '/reset-password': {
    title: 'Reset Password',
    description: 'Enter your personal email and we’ll send you a reset link.',
  },
  '/terms': {
    title: 'Terms',
    description: 'What you agree to when you create an account or book a seat.',
  },
  '/privacy': {
    title: 'Privacy policy',
    description: 'What the portal stores about you, who can see it, and for how long.',
  },
}

/** Both pages of a program have its name and description as preview. */
export const programPages = ['/program-details-active/:programId', '/program-details-inactives/:programId'] as const

/** Pages that only signed-in users can open. Their previews say nothing about them. */
const signedInPages = [
  '/my-program',
  '/notification',
  '/notification/:id',
  '/profile',
  '/profile/notifications',
  '/profile/sessions',
  '/profile/security',
  '/edit-profile',
  '/payment',
  '/faculty/dashboard',
  '/admin/dashboard',
  '/admin/programs',
  '/admin/programs/new',
  '/admin/programs/edit/:id',
  '/admin/programs/:id/preview',
  '/admin/programs/:id/learners',
  '/admin/universities',
  '/admin/notifications',
  '/admin/notifications/:id',
  '/admin/dashboard/users',
  '/admin/dashboard/audit',
  '/admin/people',
  '/admin/people/:userId',
  '/admin/profile',
  '/admin/profile/notifications',
  '/admin/profile/sessions',
  '/admin/profile/api-keys',
  '/admin/profile/security',
] as const

/** For those with a link from an email. */
const linkedPages = ['/notifications/unsubscribe'] as const

/** The path of every page, in the notation of its router (web/src/app/router.tsx), whose test compares the two. */
export const pagePaths: readonly string[] = [
  ...Object.keys(publicPages),
  ...programPages,
  ...signedInPages,
  ...linkedPages,
]
