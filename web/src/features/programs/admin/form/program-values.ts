import {
  defaultRegistrationFee,
  defaultSemesterCount,
  factBody,
  programBody,
  programCodeSchema,
  toolBody,
  type Fact,
  type Program,
  type Tool,
} from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { z } from 'zod'
import { useValidatedForm } from '../../../../lib/form.ts'
import { useKeptForm } from '../../../../lib/use-kept-form.ts'
import type { SavedProgram } from '../api.ts'

/** The values of the section Program Information as typed: the semester count is text until it is validated. */
export const informationSchema = programBody.omit({ toolkit: true, facts: true }).extend({
  semesterCount: z.string().transform(Number).pipe(programBody.shape.semesterCount.unwrap()),
})
type InformationValues = z.input<typeof informationSchema>
export type Information = z.output<typeof informationSchema>
export type InformationForm = ReturnType<typeof useValidatedForm<InformationValues, Information>>

const typedText = z.string()
/** What is typed into the form and not saved is kept on this device. */
const keptInformation = z
  .object({
    programName: typedText,
    programId: typedText,
    detail: typedText,
    collegeName: typedText,
    eligibility: typedText,
    fee: typedText,
    enrollmentDetails: z.object({ fee: typedText }),
    semesterCount: typedText,
    semesters: z.array(z.object({ fee: typedText })),
  })
  .partial()
const keptTool = z.object({ name: typedText, logoUrl: typedText }).partial()
const keptFact = z.object({ content: typedText, highlight: typedText, imageUrl: typedText }).partial()

/** The parts of a new program, which only a save sends. */
export const keptParts = z.object({
  toolkit: z.array(keptTool.required().extend({ _id: typedText })),
  facts: z.array(keptFact.required().extend({ _id: typedText })),
})

const changesOf = <Fields>(fields: z.ZodType<Fields>) =>
  z.object({
    order: z.array(z.string()).nullable(),
    fields: z
      .array(z.tuple([z.string(), fields]))
      .transform((entries): ReadonlyMap<string, Fields> => new Map(entries)),
  })

/** The changes of an existing program's parts, which only a save sends. */
export const keptRowChanges = z.object({
  tools: changesOf(keptTool.required()),
  facts: changesOf(keptFact.required()),
})

/** A tool or a fact of the form. One that is not saved yet has a temporary id. */
export type ToolPart = Omit<Tool, '_id'> & { readonly _id: string }
export type FactPart = Omit<Fact, '_id'> & { readonly _id: string }
export type Parts = { readonly toolkit: readonly ToolPart[]; readonly facts: readonly FactPart[] }

/** A fee for each possible semester: those beyond the count are hidden, and kept in case the count rises again. */
const feesOf = (semesters: Program['semesters']) =>
  Array.from({ length: limits.semesters }, (_, index) => ({ fee: semesters[index]?.fee ?? '' }))

/** The initial values of the form. Their order is the order in which the first invalid field gets the focus. */
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

/** The initial values of a copy: the server gives it an id and a code of its own. */
export const copyOf = (program: Program): Program => ({
  ...program,
  programId: programCodeSchema.parse(''),
  programName: `Copy of ${program.programName}`.slice(0, limits.nameChars),
})

/** The tools and facts of a copy, which are not saved yet. */
export const copiedParts = ({ toolkit, facts }: Program, nowMs: number): Parts => ({
  toolkit: toolkit.map((tool, index) => ({ ...tool, _id: String(nowMs + index) })),
  facts: facts.map((fact, index) => ({ ...fact, _id: String(nowMs + index) })),
})

/** The semester count that was typed; null while it is not a valid count. */
export const typedCount = (text: string): number | null =>
  informationSchema.shape.semesterCount.safeParse(text).data ?? null

/** The request body of a save: the whole program. */
export const bodyOf = (information: Information, { toolkit, facts }: Parts): SavedProgram => ({
  ...information,
  semesters: information.semesters.slice(0, information.semesterCount),
  toolkit: toolkit.map((tool) => ({ ...tool })),
  facts: facts.map((fact) => ({ ...fact })),
})

/** The id of a tool or fact that is not saved yet: the current time in ms, or the next free number. */
export const temporaryId = (nowMs: number, taken: readonly { readonly _id: string }[]): string => {
  const isTaken = (id: string) => taken.some(({ _id }) => _id === id)
  let id = nowMs
  while (isTaken(String(id))) id += 1
  return String(id)
}

/** The tool and the fact being typed. The whole form needs them: it asks before it discards either. */
export const usePartForms = () => {
  const tool = useValidatedForm(toolBody, { name: '', logoUrl: '' })
  const fact = useValidatedForm(factBody, { content: '', highlight: '', imageUrl: '' })
  const typed = [...(tool.formState.isDirty ? ['tool'] : []), ...(fact.formState.isDirty ? ['fact'] : [])]
  return { tool, fact, typed }
}

type Forms = Pick<ReturnType<typeof usePartForms>, 'tool' | 'fact'> & { readonly information: InformationForm }

/** Keeps what is typed into the form of one program, 'new' or its id. */
export const useKeptProgram = (program: string, { information, tool, fact }: Forms) => {
  const all = [
    useKeptForm(information, { name: `program:${program}`, fields: keptInformation }),
    useKeptForm(tool, { name: `program:${program}:tool`, fields: keptTool }),
    useKeptForm(fact, { name: `program:${program}:fact`, fields: keptFact }),
  ]
  return { isRestored: all.some(({ isRestored }) => isRestored), forget: () => all.forEach(({ forget }) => forget()) }
}

export type ToolForm = ReturnType<typeof usePartForms>['tool']
export type FactForm = ReturnType<typeof usePartForms>['fact']
