import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { programAddress } from '../program.ts'
import { CardList, EnrolledCard, ProgramCard } from './program-card.tsx'
import { EnrolledRow, OfferedRow, RowList } from './program-row.tsx'
import { SampleNote, sampleProgresses } from './sample-note.tsx'

type EnrolledListProps = {
  readonly enrollments: readonly Enrollment[]
  /** Rows instead of cards, for a list that is long without its search. */
  readonly areRows: boolean
}

export const EnrolledList = ({ enrollments, areRows }: EnrolledListProps) =>
  areRows ? (
    <>
      <SampleNote>{sampleProgresses}</SampleNote>
      <RowList
        rows={enrollments.map((one) => (
          <EnrolledRow key={one.programId} enrollment={one} />
        ))}
      />
    </>
  ) : (
    <CardList
      cards={enrollments.map((one) => (
        <EnrolledCard key={one.programId} enrollment={one} />
      ))}
    />
  )

type OfferedListProps = { readonly programs: readonly Program[]; readonly areRows: boolean }

/** Programs in which the reader is not enrolled. */
export const OfferedList = ({ programs, areRows }: OfferedListProps) =>
  areRows ? (
    <RowList
      rows={programs.map((program) => (
        <OfferedRow key={program._id} program={program} />
      ))}
    />
  ) : (
    <CardList
      cards={programs.map((program) => (
        <ProgramCard key={program._id} program={program} to={programAddress(program._id, false)} />
      ))}
    />
  )
