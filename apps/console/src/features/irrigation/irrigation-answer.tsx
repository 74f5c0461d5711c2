import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import styles from './irrigation.module.css'
import { irrigationQuery } from './queries.ts'

const nothing: readonly never[] = []

interface IrrigationAnswerProps {
  readonly children: (sources: readonly IrrigationSource[]) => ReactNode
}

/** The sources of water below the nodes that are selected in the tree. */
export function IrrigationAnswer({ children }: IrrigationAnswerProps) {
  const nodes = useSelectedNodes()
  const query = useQuery({ ...irrigationQuery(nodes ?? nothing), enabled: nodes !== undefined })
  if (nodes === undefined) return <SelectionGone />
  return (
    <div className={styles.page}>
      <Answer query={query}>{({ datalist }) => children(datalist)}</Answer>
    </div>
  )
}
