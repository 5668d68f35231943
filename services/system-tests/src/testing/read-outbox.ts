import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const lineSchema = z.object({ to: z.string(), code: z.string().optional(), link: z.string().optional() })
export type OutboxLine = z.infer<typeof lineSchema>

/** What the portal of this data folder has sent, newest first. /dev/outbox shows it to nobody behind the balancer. */
export const readOutbox = async (dataDir: string): Promise<readonly OutboxLine[]> => {
  const text = await readFile(join(dataDir, 'outbox.jsonl'), 'utf8').catch(() => '') // nothing has been sent yet
  // The last part is empty, or a line that is being written.
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => lineSchema.parse(JSON.parse(line))).toReversed()
}
