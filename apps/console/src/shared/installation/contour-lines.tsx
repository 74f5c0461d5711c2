import type { ReactNode } from 'react'

const levels = Array.from({ length: 13 }, (_, index) => index)

/** One closed line of equal temperature around two warm spots, as a smooth path. */
function toContour(level: number): string {
  const steps = 48
  const points = Array.from({ length: steps }, (_, step) => {
    const angle = (step / steps) * 2 * Math.PI
    const swell = 1 + 0.22 * Math.cos(2 * angle + 0.6) + 0.1 * Math.sin(3 * angle - 0.12 * level)
    const radius = (26 + 34 * level) * swell
    return { x: 400 + 1.25 * radius * Math.cos(angle), y: 300 + 0.8 * radius * Math.sin(angle) }
  })
  const at = (index: number) => points[(index + steps) % steps] ?? { x: 0, y: 0 }
  const middle = (index: number) =>
    `${((at(index).x + at(index + 1).x) / 2).toFixed(1)} ${((at(index).y + at(index + 1).y) / 2).toFixed(1)}`
  const curves = points.map((point, index) => `Q${point.x.toFixed(1)} ${point.y.toFixed(1)} ${middle(index)}`)
  return `M${middle(-1)}${curves.join('')}Z`
}

/** Decoration: lines of equal temperature, from warm in the middle to cool outside. */
export function ContourLines({ className }: { readonly className: string }): ReactNode {
  return (
    <svg className={className} viewBox="0 0 800 600" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {levels.map((level) => (
        <path key={level} d={toContour(level)} className={level < 4 ? 'line-warm' : 'line-cool'} />
      ))}
    </svg>
  )
}

/** The product's mark: three isotherms. */
export function BrandMark({ sizePx = 26 }: { readonly sizePx?: number }): ReactNode {
  return (
    <svg
      width={sizePx}
      height={sizePx}
      viewBox="0 0 32 32"
      fill="none"
      aria-hidden="true"
      className="brand-mark"
    >
      <path d="M3 11c5-7 9-7 13-3s8 4 13-3" className="line-warm" />
      <path d="M3 19c5-7 9-7 13-3s8 4 13-3" className="line-mid" />
      <path d="M3 27c5-7 9-7 13-3s8 4 13-3" className="line-cool" />
    </svg>
  )
}
