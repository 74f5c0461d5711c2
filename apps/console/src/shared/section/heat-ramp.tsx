import styles from './heat-ramp.module.css'
import { toRamp } from './heat-scale.ts'

export interface HeatRampProps {
  /** Labels of the ends of a scale, with units unless shown elsewhere. */
  readonly low: string
  readonly high: string
  /** Colour of a position between the ends, 0 to 1. */
  readonly fill: (share: number) => string
}

/** The colours of a scale between its ends. */
export function HeatRamp({ low, high, fill }: HeatRampProps) {
  return (
    <span className={styles.scale}>
      <span className="num">{low}</span>
      <i className={styles.ramp} style={{ background: toRamp(fill) }} />
      <span className="num">{high}</span>
    </span>
  )
}
