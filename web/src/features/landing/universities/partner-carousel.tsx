import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { languageOf } from '../../../ui/text-language.ts'
import { Carousel } from '../carousel/carousel.tsx'
import { Crest } from './crest.tsx'

const Partner = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(5),
  height: theme.spacing(28),
  paddingInline: theme.spacing(0, 8),
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
  '& .name': {
    ...theme.typography.h3,
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 3,
    overflow: 'hidden',
    lineHeight: 1.2,
    userSelect: 'none',
  },
}))

type PartnersProps = { readonly partners: readonly University[] }

export const PartnerCarousel = ({ partners }: PartnersProps) => (
  <Carousel
    label="Partner universities, one by one"
    items={partners}
    keyOf={({ _id }) => _id}
    nameOf={({ name }) => name}
    slideWidth="min(max(280px, 25%), 82%)"
  >
    {({ name }) => (
      <Partner>
        <Crest name={name} />
        <span className="name" lang={languageOf(name)}>
          {name}
        </span>
      </Partner>
    )}
  </Carousel>
)
