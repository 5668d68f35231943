import { Icon, type IconProps } from './icon.tsx'

export const SendIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M20.5 3.5 3.5 10.5l6.5 3.5 3.5 6.5zM10 14l10.5-10.5" />
  </Icon>
)
