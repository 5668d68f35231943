import { Icon, type IconProps } from './icon.tsx'

export const ArrowUpIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 19V5.5M6 11l6-6 6 6" />
  </Icon>
)
