import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../testing/portal-process.ts'
import { type BenchPortal, startBenchPortal } from './bench-portal.ts'

const git = (...args: readonly string[]): void =>
  void execFileSync('git', args, { cwd: repositoryRoot, stdio: ['ignore', 'ignore', 'pipe'] })

/** Links the installed packages. Those of the repository are relative links, which lead to the checkout's own folders when copied. */
const linkPackages = (checkout: string): void => {
  const installed = join(repositoryRoot, 'node_modules')
  const linked = join(checkout, 'node_modules')
  mkdirSync(linked)
  for (const name of readdirSync(installed)) {
    if (name === '@portal')
      cpSync(join(installed, name), join(linked, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(installed, name), join(linked, name))
  }
}

/** A portal of another commit, from a temporary checkout with the packages of this one. */
export const startBasePortal = async (commit: string, learners: number): Promise<BenchPortal> => {
  const root = mkdtempSync(join(tmpdir(), 'bench-base-'))
  git('worktree', 'add', '--detach', root, commit)
  const remove = (): void => git('worktree', 'remove', '--force', root)
  try {
    linkPackages(root)
    const portal = await startBenchPortal(learners, { root })
    return { ...portal, stop: () => portal.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
