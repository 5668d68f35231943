import type { ReactNode } from 'react'
import type { FigureName } from '../content.ts'
import { CgpaFigure, CreditsFigure, HoursFigure, InstalmentsFigure } from './feature-figures.tsx'
import { CampusFigure, DeadlinesFigure, ExamFigure, TracksFigure } from './reason-figures.tsx'

const figures: Readonly<Record<FigureName, () => ReactNode>> = {
  credits: CreditsFigure,
  instalments: InstalmentsFigure,
  hours: HoursFigure,
  cgpa: CgpaFigure,
  tracks: TracksFigure,
  campus: CampusFigure,
  exam: ExamFigure,
  deadlines: DeadlinesFigure,
}

/** The drawing that goes with a text of the content. */
export const Figure = ({ name }: { name: FigureName }) => {
  const Drawing = figures[name]
  return <Drawing />
}
