import { notificationIdSchema } from '@portal/contracts/shared/ids'
import { CommandError, runCommand } from '../command.ts'
import { endNow, print, printable } from '../output/print.ts'
import { openLog } from '../settings/open-sources.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { openServingReadModels } from '../settings/serving-read-models.ts'
import { findUser } from './find-user.ts'
import { gatherFacts } from './gather-facts.ts'
import { storyText, tellStory } from './story.ts'

const notificationOf = (text: string) => {
  const id = notificationIdSchema.safeParse(text.trim())
  if (id.success) return id.data
  throw new CommandError("NOTIFICATION must be a notification's id: make why USER=… NOTIFICATION=…")
}

/** `make why`: what became of one notification for one person. Names nobody: people appear by their ids. */
await runCommand(async () => {
  const notificationId = notificationOf(process.env['NOTIFICATION'] ?? '')
  const config = await operatorConfig(process.env)
  const log = await openLog(config)
  try {
    const userId = await findUser(config, log, process.env['USER'] ?? '')
    const readModels = await openServingReadModels(config)
    try {
      const at = { now: new Date().toISOString(), graceMs: config.seenGraceMs }
      const facts = await gatherFacts(log, readModels, { userId, notificationId }, at)
      const story = tellStory(facts)
      print(process.env, { ...story, facts }, () => storyText(story).split('\n').map(printable).join('\n'))
    } finally {
      await readModels.close()
    }
  } finally {
    await log.close()
  }
})
endNow()
