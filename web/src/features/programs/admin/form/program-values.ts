import {
  defaultRegistrationFee,
  defaultSemesterCount,
  programBody,
  type Fact,
  type Program,
  type Tool,
} from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { z } from 'zod'
import type { SavedProgram } from '../api.ts'

/** Program Information, as it is typed: the count of semesters is text until it is checked. */
export const informationSchema = programBody.omit({ toolkit: true, facts: true }).extend({
  semesterCount: z.string().transform(Number).pipe(programBody.shape.semesterCount.unwrap()),
})
export type InformationValues = z.input<typeof informationSchema>
export type Information = z.output<typeof informationSchema>

/** A tool or a fact of the form: one of the programme's own, or one that waits to be saved with it under an id of its own. */
export type ToolPart = Omit<Tool, '_id'> & { readonly _id: string }
export type FactPart = Omit<Fact, '_id'> & { readonly _id: string }
export type Parts = { readonly toolkit: readonly ToolPart[]; readonly facts: readonly FactPart[] }

/** A fee for each semester there could be: those beyond the count are not shown, and kept in case it rises again. */
const feesOf = (semesters: Program['semesters']) =>
  Array.from({ length: limits.semesters }, (_, index) => ({ fee: semesters[index]?.fee ?? '' }))

/** What the form starts with. The first wrong field gets the focus in the order that they have here. */
export const valuesOf = (program: Program | null) => ({
  programName: program?.programName ?? '',
  programId: program?.programId ?? '',
  detail: program?.detail ?? '',
  collegeName: program?.collegeName ?? '',
  eligibility: program?.eligibility ?? '',
  fee: program?.fee ?? '',
  enrollmentDetails: { fee: program?.enrollmentDetails.fee ?? defaultRegistrationFee },
  semesterCount: String(program?.semesterCount ?? defaultSemesterCount),
  semesters: feesOf(program?.semesters ?? []),
})

/** How many semesters a typed count stands for; null while it stands for none. */
export const typedCount = (text: string): number | null =>
  informationSchema.shape.semesterCount.safeParse(text).data ?? null

/** The whole programme, as it is saved. */
export const bodyOf = (information: Information, { toolkit, facts }: Parts): SavedProgram => ({
  ...information,
  semesters: information.semesters.slice(0, information.semesterCount),
  toolkit: toolkit.map((tool) => ({ ...tool })),
  facts: facts.map((fact) => ({ ...fact })),
})

/** The id of a part that is not saved yet: the time, or the next free number where two are of the same millisecond. */
export const temporaryId = (nowMs: number, taken: readonly { readonly _id: string }[]): string => {
  const isTaken = (id: string) => taken.some(({ _id }) => _id === id)
  let id = nowMs
  while (isTaken(String(id))) id += 1
  return String(id)
}
