import { styled } from '@mui/material/styles'
import { useState } from 'react'

const Picture = styled('img')(({ theme }) => ({
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  objectFit: 'cover',
  borderRadius: theme.portal.radii.control,
}))

/** A fact's picture; nothing where it cannot be shown. */
export const FactPicture = ({ imageUrl }: { readonly imageUrl: string }) => {
  const [isBroken, setBroken] = useState(false)
  return isBroken ? null : <Picture src={imageUrl} alt="" onError={() => setBroken(true)} />
}
