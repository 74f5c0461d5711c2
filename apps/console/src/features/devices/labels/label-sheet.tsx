import { QRCode } from 'antd'
import styles from './labels.module.css'

/** Papers for labels: a roll of a label printer with 60 × 40 mm, or A4 with 3 × 7 labels of 70 × 42.3 mm. */
export const papers = ['roll', 'sheet'] as const
export type Paper = (typeof papers)[number]

/** CSS of the paper. A rule `@page` cannot stand in a class. */
const pages: Readonly<Record<Paper, string>> = {
  roll: '@page { size: 60mm 40mm; margin: 0 }',
  sheet: '@page { size: A4; margin: 0 }',
}

/** A label: its code, and three lines from general to special. */
export interface Label {
  readonly key: string
  /** Address that the code has. */
  readonly url: string
  readonly place: string
  readonly name: string
  readonly number: string
}

const codeSize = { width: '24mm', height: '24mm', padding: 0 } as const

interface LabelSheetProps {
  readonly labels: readonly Label[]
  readonly paper: Paper
}

/** Labels to be printed: a code that opens a page, and what it names. */
export function LabelSheet({ labels, paper }: LabelSheetProps) {
  return (
    <>
      <style>{pages[paper]}</style>
      <div className={styles[paper]} data-testid="labels">
        {labels.map(({ key, url, place, name, number }) => (
          <div key={key} className={styles.label} data-testid="label">
            <div className={styles.code}>
              <QRCode
                type="svg"
                value={url}
                color="#000"
                bgColor="#fff"
                bordered={false}
                errorLevel="M"
                style={codeSize}
              />
            </div>
            <div className={styles.words}>
              <span>{place}</span>
              <strong>{name}</strong>
              <span className={styles.serial}>{number}</span>
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
