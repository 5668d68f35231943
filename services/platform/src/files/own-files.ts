import { accessSync, constants, lstatSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { dataFiles, portalFilesIn } from './data-folder.ts'

/** Another user owns files that this process would write to. The message is one line for the operator. */
class ForeignFilesError extends Error {
  override readonly name = 'ForeignFilesError'
  readonly isUserFacing = true
}

type Owned = { readonly file: string; readonly uid: number }

const passwdNameOf = (uid: number): string | undefined => {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    return users.find((entry) => entry.split(':')[2] === String(uid))?.split(':')[0]
  } catch {
    return undefined
  }
}
const nameOf = (uid: number): string => passwdNameOf(uid) ?? `uid ${uid}`

/** Not `sudo`: it drops the settings of the portal, and is often not installed. */
const howToRun = `Run it as that user, with the portal's settings (docs/operations.md, "On one machine, for real")`

const ownedBy = (file: string): Owned | undefined => {
  try {
    return { file, uid: lstatSync(file).uid }
  } catch {
    return undefined // removed meanwhile
  }
}

/** The files that a portal writes while it runs. It only reads its keys, which may be mounted from a secret of root's. */
const writtenFilesIn = (dataDir: string): readonly Owned[] => {
  const { masterKey, sessionKeys } = dataFiles(dataDir)
  const keys = [masterKey, sessionKeys].map((file) => basename(file))
  return portalFilesIn(dataDir).flatMap((file) => (keys.includes(basename(file)) ? [] : (ownedBy(file) ?? [])))
}

/** One line about files of the portal with different owners, as a command of another user leaves them. */
export const mixedOwnersIn = (dataDir: string): string | undefined => {
  const [first, ...others] = writtenFilesIn(dataDir)
  const other = others.find(({ uid }) => uid !== first?.uid)
  if (first === undefined || other === undefined) return undefined
  return `DATA_DIR: ${other.file} belongs to the user ${nameOf(other.uid)}, and ${first.file} to ${nameOf(first.uid)}: chown all of them to the user of the portal`
}

const isWritable = ({ file }: Owned): boolean => {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * One line about a file of the portal that `uid` must not write to; undefined if there is none. What root writes there, the portal's user
 * can neither change nor remove, and the portal stops working hours later.
 */
export const foreignFileIn = (
  dataDir: string,
  uid: number | undefined = process.getuid?.(),
  canWrite: (owned: Owned) => boolean = isWritable,
): string | undefined => {
  // Windows has no such ids.
  if (uid === undefined) return undefined
  const found = writtenFilesIn(dataDir).find((owned) => owned.uid !== uid && (uid === 0 || !canWrite(owned)))
  if (found === undefined) return undefined
  const mixed = mixedOwnersIn(dataDir)
  if (mixed !== undefined) return mixed
  return `DATA_DIR: ${found.file} belongs to the user ${nameOf(found.uid)}, and this is ${nameOf(uid)}. ${howToRun}`
}

/** Call it before the first byte is written. Throws a ForeignFilesError. */
export const requireOwnFiles = (dataDir: string): void => {
  const line = foreignFileIn(dataDir)
  if (line !== undefined) throw new ForeignFilesError(line)
}
