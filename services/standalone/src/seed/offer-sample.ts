import { generatePassword } from '@portal/auth/passwords/generate-password'
import type { Readable, Writable } from 'node:stream'
import { askYesOrNo } from './ask-yes-or-no.ts'
import type { SeedRequest } from './seed-portal.ts'

const question = 'This portal is empty. Fill it with sample programmes, learners and notifications?'
const timeoutMs = 60_000
/** Enough for every list to have pages. */
export const usualLearners = 100

type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
}

/** What an empty portal is to be filled with. Undefined where nobody sits at it who could be asked, or who wants it. */
export const offerSample = async ({ input, output }: Terminal): Promise<SeedRequest | undefined> => {
  if (input.isTTY !== true || output.isTTY !== true) return undefined
  if (!(await askYesOrNo({ question, input, output, timeoutMs }))) return undefined
  output.write('SeedServices it; this takes a few seconds …\n')
  return { learners: usualLearners, password: generatePassword(), withSample: true }
}
