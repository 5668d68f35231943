import { describeRememberedAnswers } from '@portal/platform/testing/idempotency/contract'
import { createMemoryAnswers } from './memory.ts'

describeRememberedAnswers('in memory', async () => {
  const answers = createMemoryAnswers()
  return [answers, answers]
})
