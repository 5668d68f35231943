/** The kinds of pages that have a shell: what the page shows before its scripts have loaded. */
export const shellKinds = ['landing', 'login', 'register', 'reset', 'home', 'inbox', 'learner', 'admin'] as const
export type ShellKind = (typeof shellKinds)[number]

const learnerPage = /^\/(?:notification|my-program|profile|edit-profile|payment|program-details|faculty)/

/**
 * Follows the guards of src/app/guards.tsx: a path that no page has leads home, or to the login page. A page of text has no shell:
 * every page carries all of them.
 */
export const chooseShell = (path: string, role: string | undefined): ShellKind | undefined => {
  if (path === '/terms' || path === '/privacy') return undefined
  if (role === undefined) {
    if (path === '/home') return 'landing'
    if (path === '/register') return 'register'
    return path === '/reset-password' ? 'reset' : 'login'
  }
  if (role === 'admin') return 'admin'
  if (path === '/notification') return 'inbox'
  if (path === '/home') return 'home'
  return learnerPage.test(path) || role === 'faculty' ? 'learner' : 'home'
}
