import { styled } from '@mui/material/styles'
import { contact, features, reasons, type Reason } from './content.ts'
import { Faq } from './faq/faq.tsx'
import { Figure } from './figures.tsx'
import { risesIn } from './sections.tsx'
import { PartnerUniversities } from './universities/partner-universities.tsx'
import { WeekFigure } from './week-figure.tsx'

/** Four columns separated by hairlines; two or one on narrower screens. */
const FeatureColumns = styled('ul')(({ theme }) => ({
  display: 'grid',
  listStyle: 'none',
  margin: 0,
  padding: 0,
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr' },
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(4, 1fr)' },
}))

const Feature = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateRows: 'auto auto 1fr',
  paddingBlock: theme.spacing(12),
  '& .drawing': { maxWidth: 200, marginBottom: theme.spacing(8) },
  '& h3': { ...theme.typography.body1, fontWeight: 600, margin: 0 },
  '& h3 .value': {
    ...theme.typography.h1,
    display: 'block',
    fontSize: theme.portal.posters.section,
    lineHeight: 1.1,
    letterSpacing: '-0.03em',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  '& p': { ...theme.typography.body1, margin: theme.spacing(2, 0, 0), color: theme.vars.palette.text.secondary },
  // On a phone the figure is beside the number.
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: '1fr 112px',
    gridTemplateRows: 'auto auto',
    columnGap: theme.spacing(5),
    paddingBlock: theme.spacing(6),
    '& .drawing': { gridColumn: 2, gridRow: 1, alignSelf: 'end', margin: 0 },
    '& h3': { gridColumn: 1, gridRow: 1, alignSelf: 'end' },
    '& p': { gridColumn: '1 / -1', marginTop: theme.spacing(3) },
    '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  },
  [theme.breakpoints.between('sm', 'md')]: {
    paddingInline: theme.spacing(0, 8),
    '&:nth-of-type(even)': {
      paddingInline: theme.spacing(8, 0),
      borderLeft: `1px solid ${theme.vars.palette.divider}`,
    },
    '&:nth-of-type(n + 3)': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  },
  [theme.breakpoints.up('md')]: {
    padding: theme.spacing(16, 6),
    '&:first-of-type': { paddingLeft: 0 },
    '&:last-of-type': { paddingRight: 0 },
    '& + &': { borderLeft: `1px solid ${theme.vars.palette.divider}` },
  },
}))

/** The four key features, each a number with its figure. */
const FeatureList = () => (
  <FeatureColumns>
    {features.map(({ figure, value, title, text }) => (
      <Feature key={figure}>
        <div className="drawing">
          <Figure name={figure} />
        </div>
        <h3>
          <span className="value">{value}</span> {title}
        </h3>
        <p>{text}</p>
      </Feature>
    ))}
  </FeatureColumns>
)

/** A reason, its points and its figure side by side. */
const ReasonGrid = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(6),
  paddingBlock: theme.spacing(10),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '&:last-of-type': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { ...theme.typography.h1, margin: 0, maxWidth: '14ch' },
  '& p': { margin: theme.spacing(3, 0, 0), color: theme.vars.palette.text.secondary, maxWidth: '36ch' },
  '& .drawing': { width: '100%', maxWidth: 360, ...risesIn },
  // On a phone the figure is beside the title.
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr) 112px',
    gap: theme.spacing(4, 5),
    paddingBlock: theme.spacing(6),
    '& ul': { gridColumn: '1 / -1' },
    '& .drawing': { gridColumn: 2, gridRow: 1, alignSelf: 'center' },
  },
  [theme.breakpoints.up('sm')]: {
    gridTemplateColumns: '1fr 1fr',
    gap: theme.spacing(6, 10),
    '& .drawing': { gridColumn: 2, gridRow: '1 / span 2', justifySelf: 'end' },
  },
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: '4fr 4fr 4fr',
    gap: theme.spacing(12),
    paddingBlock: theme.spacing(14),
    '& .drawing': { gridColumn: 3, gridRow: 1 },
  },
}))

const Points = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  alignSelf: 'start',
  '& li': { padding: theme.spacing(3, 0), fontWeight: 500 },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& li:first-of-type': { paddingTop: theme.spacing(1.5) },
  [theme.breakpoints.down('sm')]: { '& li': { paddingBlock: theme.spacing(2) } },
}))

const ReasonRow = ({ figure, title, text, points }: Reason) => (
  <ReasonGrid aria-labelledby={`why-${figure}`}>
    <div>
      <h3 id={`why-${figure}`}>{title}</h3>
      <p>{text}</p>
    </div>
    <Points>
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </Points>
    <div className="drawing">
      <Figure name={figure} />
    </div>
  </ReasonGrid>
)

const Reasons = () => reasons.map((reason) => <ReasonRow key={reason.figure} {...reason} />)

const ContactDetails = () => (
  <>
    <p>{contact.text}</p>
    <dl>
      <div>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${contact.email}`}>{contact.email}</a>
        </dd>
      </div>
      <div>
        <dt>Phone</dt>
        <dd>
          <a href={`tel:${contact.phone.dialled}`}>{contact.phone.shown}</a>
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <address>
            {contact.address.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        </dd>
      </div>
    </dl>
  </>
)

/** The content of the sections below the first screen: one file, loaded after the first paint. */
export const sectionContents = {
  week: WeekFigure,
  features: FeatureList,
  universities: PartnerUniversities,
  reasons: Reasons,
  contact: ContactDetails,
  faq: Faq,
} as const

export type SectionContents = typeof sectionContents
