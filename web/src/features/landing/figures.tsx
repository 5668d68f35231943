import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { foldPath, ribbonPaths } from '../../ui/brand-shape.ts'
import type { FigureName } from './content.ts'
import { facts } from './facts.ts'

/**
 * The canvas of a figure, which is decorative: the text beside it says the same. Classes: `rubric`, `ink`, `sheet` and `soft` fill,
 * `line`, `rubric-line`, `on-rubric` and `hair` stroke.
 */
const FigureSvg = styled('svg')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: 'auto',
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  '& .rubric': { fill: theme.vars.palette.primary.main },
  '& .ink': { fill: theme.vars.palette.text.primary },
  '& .soft': { fill: theme.vars.palette.portal.accentSoft },
  '& .sheet': { fill: theme.vars.palette.background.paper },
  '& .hair': { stroke: theme.vars.palette.portal.edge, strokeWidth: 1.25 },
  '& .on-rubric': { stroke: theme.vars.palette.primary.contrastText, strokeWidth: 1.75 },
  '& .line': { stroke: theme.vars.palette.text.primary, strokeWidth: 1.75 },
  '& .rubric-line': { stroke: theme.vars.palette.primary.main, strokeWidth: 2.25 },
}))

const featureBox = '0 0 240 132'

/** One block for each credit, stacked by semester. */
const CreditsFigure = () => (
  <FigureSvg viewBox={featureBox} aria-hidden="true">
    {facts.credits.perSemester.map((credits, semester) => (
      <g key={semester} className={semester === 0 ? 'rubric' : 'ink'}>
        {Array.from({ length: credits }, (_, n) => (
          <rect key={n} x={semester * 84} y={116 - n * 16} width={72} height={12} />
        ))}
      </g>
    ))}
  </FigureSvg>
)

/** One tear-off slip for each installment. */
const InstallmentsFigure = () => (
  <FigureSvg viewBox={featureBox} aria-hidden="true">
    {Array.from({ length: facts.fee.installments }, (_, n) => (
      <g key={n} transform={`translate(${n * 80} ${n * 10})`}>
        <path className={n === 0 ? 'rubric' : 'sheet line'} d="M1 20h76v28a8 8 0 0 0 0 16v28H1V64a8 8 0 0 0 0-16z" />
        <path className={n === 0 ? 'sheet' : 'ink'} d="M17 34h28v3H17zM17 42h16v3H17zM17 72h44v6H17z" />
      </g>
    ))}
  </FigureSvg>
)

const center = { x: 66, y: 66 } as const

const pointAt = (hour: number, radius: number) => {
  const angle = (hour / 24) * 2 * Math.PI - Math.PI / 2
  return `${(center.x + radius * Math.cos(angle)).toFixed(2)} ${(center.y + radius * Math.sin(angle)).toFixed(2)}`
}

const arc = ({ fromHour, toHour }: { readonly fromHour: number; readonly toHour: number }, radius: number) =>
  `M${pointAt(fromHour, radius)}A${radius} ${radius} 0 0 1 ${pointAt(toHour, radius)}`

/** Two days on a 24-hour clock: a weekday outside, a weekend day inside. */
const HoursFigure = () => (
  <FigureSvg viewBox={featureBox} aria-hidden="true">
    <g strokeLinecap="butt">
      <circle className="hair" cx={center.x} cy={center.y} r={56} />
      <circle className="hair" cx={center.x} cy={center.y} r={36} />
      <path className="rubric-line" d={arc(facts.weekdays, 56)} style={{ strokeWidth: 14 }} />
      <path className="line" d={arc(facts.weekends, 36)} style={{ strokeWidth: 14 }} />
      {[0, 6, 12, 18].map((hour) => (
        <path key={hour} className="line" d={`M${pointAt(hour, 14)}L${pointAt(hour, 20)}`} />
      ))}
    </g>
  </FigureSvg>
)

const ruler = { from: 6, unit: 22.8, y: 92 } as const
const along = (grade: number) => ruler.from + grade * ruler.unit

/** The scale of grades, with those that qualify for placement support. */
const CgpaFigure = () => (
  <FigureSvg viewBox={featureBox} aria-hidden="true">
    <rect
      className="rubric"
      x={along(facts.placement.leastCgpa)}
      y={36}
      width={(facts.placement.ofCgpa - facts.placement.leastCgpa) * ruler.unit}
      height={ruler.y - 36}
    />
    <path className="line" d={`M${along(0)} ${ruler.y}H${along(facts.placement.ofCgpa)}`} />
    {Array.from({ length: facts.placement.ofCgpa + 1 }, (_, grade) => (
      <path
        key={grade}
        className="line"
        d={`M${along(grade)} ${ruler.y}v${grade % 5 === 0 || grade === facts.placement.leastCgpa ? 20 : 10}`}
      />
    ))}
  </FigureSvg>
)

const reasonBox = '0 0 360 240'

const network = [
  [18, 30],
  [18, 62],
  [18, 94],
  [56, 46],
  [56, 78],
] as const

/** Four booklets, each with a drawing of its subject. */
const TracksFigure = () => (
  <FigureSvg viewBox={reasonBox} aria-hidden="true">
    <g transform="translate(8 44)">
      <rect className="rubric" width="74" height="152" />
      <g className="on-rubric">
        {network
          .slice(0, 3)
          .flatMap(([x, y]) =>
            network.slice(3).map(([toX, toY]) => <path key={`${y} ${toY}`} d={`M${x} ${y}L${toX} ${toY}`} />),
          )}
        {network.map(([x, y]) => (
          <circle key={`${x} ${y}`} className="rubric" cx={x} cy={y} r="6" />
        ))}
      </g>
    </g>
    <g transform="translate(98 32)">
      <rect className="sheet line" width="74" height="152" />
      <path className="line" d="M26 40 12 60l14 20M48 40l14 20-14 20M42 34 32 86" />
    </g>
    <g transform="translate(188 20)">
      <rect className="soft line" width="74" height="152" />
      <path className="rubric-line" d="M10 96 64 26" />
      <g className="ink">
        {[16, 84, 24, 92, 28, 66, 38, 70, 42, 46, 52, 54, 58, 24, 62, 40].map((x, n, all) =>
          n % 2 === 0 ? <circle key={n} cx={x} cy={all[n + 1]} r="3.5" /> : null,
        )}
      </g>
    </g>
    <g transform="translate(278 8)">
      <rect className="ink" width="74" height="152" />
      {[26, 44, 36, 70].map((height, n) => (
        <rect key={n} className="sheet" x={12 + n * 13} y={100 - height} width="9" height={height} />
      ))}
    </g>
    <path className="hair" d="M0 220h360" />
  </FigureSvg>
)

const cell = 34

/** The days of an assignment with the first and the last marked; below them, the percentage that clears a module. */
const DeadlinesFigure = () => (
  <FigureSvg viewBox={reasonBox} aria-hidden="true">
    {Array.from({ length: facts.deadlines.assignmentDays }, (_, day) => {
      const isDaily = day < facts.deadlines.dailyCheckDays
      const isLast = day === facts.deadlines.assignmentDays - 1
      return (
        <g key={day} transform={`translate(${10 + day * cell} 76)`}>
          <rect className={isDaily ? 'rubric' : 'sheet line'} width={cell - 6} height={44} />
          {isLast && <path className="rubric-line" d="M14 22V-34M14-34h26l-7 9 7 9H14" />}
        </g>
      )
    })}
    <rect className="sheet line" x="10" y="168" width="334" height="20" />
    <rect className="rubric" x="10" y="168" width={334 * (facts.clearancePercent / 100)} height="20" />
    <path className="line" d={`M${10 + 334 * (facts.clearancePercent / 100)} 158v40`} />
  </FigureSvg>
)

/** A student ID; its edge counts the months of its validity. */
const CampusFigure = () => (
  <FigureSvg viewBox={reasonBox} aria-hidden="true">
    <path className="hair" d="M180 0v34" />
    <path className="line" d="M164 34h32v16h-32z" />
    <rect className="sheet line" x="62" y="50" width="236" height="164" rx="10" />
    <path className="rubric" d="M62 60a10 10 0 0 1 10-10h216a10 10 0 0 1 10 10v28H62z" />
    <g transform="translate(80 108) scale(2)" className="rubric">
      <path d={ribbonPaths[0]} />
      <path d={ribbonPaths[1]} />
      <path d={foldPath} opacity=".62" />
    </g>
    <path className="ink" d="M166 118h92v7h-92zM166 136h64v4h-64zM166 148h78v4h-78z" />
    {Array.from({ length: facts.studentIdMonths }, (_, month) => (
      <path key={month} className="line" d={`M${82 + month * 11.6} 186v14`} />
    ))}
  </FigureSvg>
)

const halls = [
  [150, 96],
  [216, 84],
  [228, 150],
  [132, 152],
] as const

/** The student's home, the largest distance to an exam, and the exam halls within it. */
const ExamFigure = () => (
  <FigureSvg viewBox={reasonBox} aria-hidden="true">
    <circle className="soft" cx="180" cy="120" r="104" />
    <circle className="rubric-line" cx="180" cy="120" r="104" strokeDasharray="2 8" />
    <circle className="hair" cx="180" cy="120" r="68" />
    <circle className="hair" cx="180" cy="120" r="34" />
    {halls.map(([x, y]) => (
      <path key={`${x} ${y}`} className="ink" d={`M${x} ${y}v-20h18l-5 5 5 5h-15v10z`} />
    ))}
    <path className="rubric-line" d="M180 120 268 64" />
    <path className="rubric" d="M180 104l15 13h-4v15h-22v-15h-4z" />
  </FigureSvg>
)

const figures: Readonly<Record<FigureName, () => ReactNode>> = {
  credits: CreditsFigure,
  installments: InstallmentsFigure,
  hours: HoursFigure,
  cgpa: CgpaFigure,
  tracks: TracksFigure,
  campus: CampusFigure,
  exam: ExamFigure,
  deadlines: DeadlinesFigure,
}

/** The figure that belongs to a text of the content. */
export const Figure = ({ name }: { name: FigureName }) => {
  const Drawing = figures[name]
  return <Drawing />
}
