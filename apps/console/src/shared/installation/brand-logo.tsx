import { type ReactNode, useState } from 'react'
import type { Logo } from './branding.ts'
import { BrandMark } from './contour-lines.tsx'

/** Logo of the installation, if any; decorative. */
export function BrandLogo(props: { readonly logo: Logo | undefined; readonly heightPx: number }): ReactNode {
  const { logo, heightPx } = props
  const [broken, setBroken] = useState<string>()
  if (!logo || (logo.kind === 'company' && logo.src === broken)) return null
  if (logo.kind === 'common') return <BrandMark sizePx={heightPx} />
  return (
    <img
      src={logo.src}
      alt=""
      className="brand-logo"
      style={{ height: heightPx }}
      onError={() => setBroken(logo.src)}
      data-testid="company-logo"
    />
  )
}
