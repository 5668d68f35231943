import type { Audience } from '@portal/contracts/notifications/audience'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import { expect, it } from 'vitest'
import { describeAudience, type SentenceFacts } from './sentence.ts'

const programIds = [programRecordIdSchema.parse('01900009-0000-7000-8000-000000000001')]
const none: SentenceFacts = { programNames: [], contacts: 0, added: 0, removed: 0, count: 12 }
const [ai, data] = ['AI', 'Data Science']
const unreadOf = notificationIdAt(1)
const contacts = ['someone']

const cases: readonly (readonly [string, Audience, Partial<SentenceFacts>])[] = [
  ['Everyone: 302 people', { everyone: true }, { count: 302 }],
  ['Everyone: 120,000 people', { everyone: true }, { count: 120_000 }],
  ['Faculty: 1 person', { roles: ['faculty'] }, { count: 1 }],
  ['Faculty: 1 person', { everyone: true, roles: ['faculty'] }, { count: 1 }],
  ['Learners: 12 people', { roles: ['student'] }, {}],
  ['Learners and faculty: 12 people', { roles: ['student', 'faculty'] }, {}],
  ['Learners of AI: 12 people', { programIds }, { programNames: [ai] }],
  ['Learners of AI or Data Science: 12 people', { programIds, everyone: true }, { programNames: [ai, data] }],
  ['Learners of A, B, C or D: 12 people', { programIds }, { programNames: ['A', 'B', 'C', 'D'] }],
  ['Learners of A, B, C or 2 other programs: 12 people', { programIds }, { programNames: ['A', 'B', 'C', 'D', 'E'] }],
  ['Learners whose payment is pending: 0 people', { paymentStatuses: ['Pending'] }, { count: 0 }],
  ['Learners whose payment is pending or completed: 12 people', { paymentStatuses: ['Pending', 'Completed'] }, {}],
  [
    'Learners of AI or Data Science whose payment is pending: 412 people',
    { programIds, paymentStatuses: ['Pending'] },
    { programNames: [ai, data], count: 412 },
  ],
  ['Learners in semester 2: 12 people', { semesters: [2] }, {}],
  ['Learners of AI in semester 2 or 3: 12 people', { programIds, semesters: [3, 2, 3] }, { programNames: [ai] }],
  [
    'Learners of Eastbrook in semester 1, 2, 3 or 2 other semesters: 12 people',
    { universityNames: ['Eastbrook'], semesters: [1, 2, 3, 4, 5] },
    {},
  ],
  ['Learners whose installment 2 is due: 12 people', { installmentsDue: [2] }, {}],
  ['Learners whose installment 2 or 10 is due: 12 people', { installmentsDue: [10, 2], everyone: true }, {}],
  [
    'Learners of AI at Eastbrook in semester 2 whose payment is pending and whose installment 2 is due: 12 people',
    {
      programIds,
      universityNames: ['Eastbrook'],
      semesters: [2],
      paymentStatuses: ['Pending'],
      installmentsDue: [2],
    },
    { programNames: [ai] },
  ],
  ['Learners and faculty of Eastbrook: 12 people', { universityNames: ['Eastbrook'] }, {}],
  ['Learners of Eastbrook: 12 people', { universityNames: ['Eastbrook'], roles: ['student'] }, {}],
  [
    'Faculty of Eastbrook or Westlake: 12 people',
    { universityNames: ['Eastbrook', 'Westlake'], roles: ['faculty'] },
    {},
  ],
  [
    'Learners of AI at Eastbrook whose payment is completed: 12 people',
    { programIds, universityNames: ['Eastbrook'], paymentStatuses: ['Completed'] },
    { programNames: [ai] },
  ],
  [
    'Learners and faculty of A, B, C or 997 other universities: 12 people',
    { universityNames: ['A', 'B', 'C', ...Array.from({ length: 997 }, (_, n) => `U${n}`)] },
    {},
  ],
  ['Learners and faculty who have not read “Exam moved”: 12 people', { unreadOf }, { remindedTitle: 'Exam moved' }],
  ['Learners and faculty who have not read the notification: 12 people', { unreadOf }, {}],
  [
    'Learners of AI whose payment is pending and who have not read “Exam moved”: 12 people',
    { programIds, paymentStatuses: ['Pending'], unreadOf },
    { programNames: [ai], remindedTitle: 'Exam moved' },
  ],
  ['People among 407 pasted contacts: 398 people', { contacts }, { contacts: 407, count: 398 }],
  ['People among 1 pasted contact: 1 person', { contacts }, { contacts: 1, count: 1 }],
  ['Everyone among 407 pasted contacts: 12 people', { everyone: true, contacts }, { contacts: 407 }],
  ['Learners who are also among 407 pasted contacts: 12 people', { roles: ['student'], contacts }, { contacts: 407 }],
  [
    'Learners of AI who are also among 3 pasted contacts: 1 person',
    { programIds, contacts },
    { programNames: [ai], contacts: 3, count: 1 },
  ],
  [
    'Learners of AI whose payment is pending and who are also among 407 pasted contacts: 12 people',
    { programIds, paymentStatuses: ['Pending'], contacts },
    { programNames: [ai], contacts: 407 },
  ],
  ['Chosen by hand: 3 people', {}, { added: 3, count: 3 }],
  ['3 people added by hand, without 1 removed by hand: 2 people', {}, { added: 3, removed: 1, count: 2 }],
  ['Faculty, and 1 person added by hand: 12 people', { roles: ['faculty'] }, { added: 1 }],
  ['Everyone, without 2 removed by hand: 300 people', { everyone: true }, { removed: 2, count: 300 }],
  [
    'Learners of AI, and 3 people added by hand, without 2 removed by hand: 12 people',
    { programIds },
    { programNames: [ai], added: 3, removed: 2 },
  ],
  ['Nobody: 0 people', { include: [] }, { count: 0 }],
]

it('a rule is described by one sentence', () => {
  const sentences = cases.map(([, audience, facts]) => describeAudience(audience, { ...none, ...facts }))
  expect(sentences).toEqual(cases.map(([sentence]) => sentence))
})
