import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../../settings/config.ts'

const isPrivateKey = (pem: string): boolean => {
  try {
    createPrivateKey(pem)
    return true
  } catch {
    // The reason could reveal something about the key.
    return false
  }
}

/** The required fields of the file that the Firebase console offers for download. */
const serviceAccountSchema = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().refine(isPrivateKey),
})

export type ServiceAccount = { readonly projectId: string; readonly clientEmail: string; readonly privateKey: string }

const expected = 'FCM_SERVICE_ACCOUNT_FILE must name a service account file, as downloaded from the Firebase console'

const contentOf = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new ConfigError(`${expected}; ${file} is not JSON`, { cause: error })
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new ConfigError(`${expected}; ${file} cannot be read (${code})`, { cause: error })
  }
}

/** Throws a one-line ConfigError that never shows the content. */
export const readServiceAccount = (file: string): ServiceAccount => {
  const parsed = serviceAccountSchema.safeParse(contentOf(file))
  if (parsed.error) {
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).filter((field) => field !== '')
    const lacking = fields.length === 0 ? 'a JSON object' : `a usable ${fields.join(', ')}`
    throw new ConfigError(`${expected}; ${file} lacks ${lacking}`)
  }
  const { project_id: projectId, client_email: clientEmail, private_key: privateKey } = parsed.data
  return { projectId, clientEmail, privateKey }
}
