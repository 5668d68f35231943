import { facts } from '../facts.ts'
import { Canvas } from './canvas.tsx'

const box = '0 0 240 132'

/** A block for each credit, stacked by semester. */
export const CreditsFigure = () => (
  <Canvas viewBox={box} aria-hidden="true">
    {facts.credits.perSemester.map((credits, semester) => (
      <g key={semester} className={semester === 0 ? 'rubric' : 'ink'}>
        {Array.from({ length: credits }, (_, n) => (
          <rect key={n} x={semester * 84} y={116 - n * 16} width={72} height={12} />
        ))}
      </g>
    ))}
  </Canvas>
)

/** A slip for each instalment, to be torn off one after the other. */
export const InstalmentsFigure = () => (
  <Canvas viewBox={box} aria-hidden="true">
    {Array.from({ length: facts.fee.instalments }, (_, n) => (
      <g key={n} transform={`translate(${n * 80} ${n * 10})`}>
        <path className={n === 0 ? 'rubric' : 'sheet line'} d="M1 20h76v28a8 8 0 0 0 0 16v28H1V64a8 8 0 0 0 0-16z" />
        <path className={n === 0 ? 'sheet' : 'ink'} d="M17 34h28v3H17zM17 42h16v3H17zM17 72h44v6H17z" />
      </g>
    ))}
  </Canvas>
)

const centre = { x: 66, y: 66 } as const

const pointAt = (hour: number, radius: number) => {
  const angle = (hour / 24) * 2 * Math.PI - Math.PI / 2
  return `${(centre.x + radius * Math.cos(angle)).toFixed(2)} ${(centre.y + radius * Math.sin(angle)).toFixed(2)}`
}

const arc = ({ fromHour, toHour }: { readonly fromHour: number; readonly toHour: number }, radius: number) =>
  `M${pointAt(fromHour, radius)}A${radius} ${radius} 0 0 1 ${pointAt(toHour, radius)}`

/** Two days on a clock of 24 hours: a weekday outside, a weekend day inside. */
export const HoursFigure = () => (
  <Canvas viewBox={box} aria-hidden="true">
    <g strokeLinecap="butt">
      <circle className="hair" cx={centre.x} cy={centre.y} r={56} />
      <circle className="hair" cx={centre.x} cy={centre.y} r={36} />
      <path className="rubric-line" d={arc(facts.weekdays, 56)} style={{ strokeWidth: 14 }} />
      <path className="line" d={arc(facts.weekends, 36)} style={{ strokeWidth: 14 }} />
      {[0, 6, 12, 18].map((hour) => (
        <path key={hour} className="line" d={`M${pointAt(hour, 14)}L${pointAt(hour, 20)}`} />
      ))}
    </g>
  </Canvas>
)

const ruler = { from: 6, unit: 22.8, y: 92 } as const
const along = (grade: number) => ruler.from + grade * ruler.unit

/** The scale of grades, and the part of it that opens the door. */
export const CgpaFigure = () => (
  <Canvas viewBox={box} aria-hidden="true">
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
  </Canvas>
)
