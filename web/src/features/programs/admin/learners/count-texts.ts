import { groupedAsInIndia } from '../../../../lib/number-format.ts'

const countText = (count: number, one: string, many: string): string =>
  `${groupedAsInIndia(count)} ${count === 1 ? one : many}`

export const learnersText = (count: number): string => countText(count, 'learner', 'learners')
export const peopleText = (count: number): string => countText(count, 'person', 'people')
export const paymentsText = (count: number): string => countText(count, 'payment', 'payments')
