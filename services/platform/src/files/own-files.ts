import { lstatSync, readFileSync } from 'node:fs'
import { portalFilesIn } from './data-folder.ts'

/** Another user owns files that this process would write to. The message is one line for the operator. */
export class ForeignFilesError extends Error {
  override readonly name = 'ForeignFilesError'
  readonly isUserFacing = true
}

type Folder = { readonly setting: 'DATA_DIR' | 'BACKUP_DIR'; readonly path: string }

const backupFile = /^(?:portal-.*\.backup|\.lock\.db)$/

const ownerOf = (file: string): number | undefined => {
  try {
    return lstatSync(file).uid
  } catch {
    return undefined // removed meanwhile
  }
}

const passwdNameOf = (uid: number): string | undefined => {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    return users.find((entry) => entry.split(':')[2] === String(uid))?.split(':')[0]
  } catch {
    return undefined
  }
}
const nameOf = (uid: number): string => passwdNameOf(uid) ?? `uid ${uid}`
const sudoNameOf = (uid: number): string => passwdNameOf(uid) ?? `'#${uid}'`

const filesOf = ({ setting, path }: Folder): readonly string[] =>
  setting === 'DATA_DIR' ? portalFilesIn(path) : portalFilesIn(path, backupFile, [])

/** The first file of the portal that `uid` does not own. */
const foreignFile = (folder: Folder, uid: number) => {
  for (const file of filesOf(folder)) {
    const owner = ownerOf(file)
    if (owner !== undefined && owner !== uid) return { file, owner }
  }
  return undefined
}

/**
 * One line about a file of the portal that another user than `uid` owns; undefined if there is none. What root writes there, the
 * portal's user can neither change nor remove, and the portal stops working hours later.
 */
export const foreignFileIn = (folder: Folder, uid: number | undefined = process.getuid?.()): string | undefined => {
  // Windows has no such ids.
  const found = uid === undefined ? undefined : foreignFile(folder, uid)
  if (uid === undefined || found === undefined) return undefined
  const { file, owner } = found
  return `${folder.setting}: ${file} belongs to the user ${nameOf(owner)}, and this is ${nameOf(uid)}. Run it as that user: sudo -u ${sudoNameOf(owner)} make …`
}

/** One line about files of the portal with different owners, as a command of another user leaves them. */
export const mixedOwnersIn = (folder: Folder): string | undefined => {
  const [first] = filesOf(folder)
  const uid = first === undefined ? undefined : ownerOf(first)
  const found = uid === undefined ? undefined : foreignFile(folder, uid)
  if (first === undefined || uid === undefined || found === undefined) return undefined
  return `${folder.setting}: ${found.file} belongs to the user ${nameOf(found.owner)}, and ${first} to ${nameOf(uid)}: chown all of them to the user of the portal`
}

/** Call it before the first byte is written. Throws a ForeignFilesError. */
export const requireOwnFiles = (folder: Folder): void => {
  const line = foreignFileIn(folder)
  if (line !== undefined) throw new ForeignFilesError(line)
}

/** The folders that commands write to. They may not exist yet. */
export const writtenFolders = ({ dataDir, backupDir }: { readonly dataDir: string; readonly backupDir: string }) =>
  [
    { setting: 'DATA_DIR', path: dataDir },
    { setting: 'BACKUP_DIR', path: backupDir },
  ] as const satisfies readonly Folder[]
