import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { addSubUser } from '@isotherm/contract/endpoints/network/vausers'
import { treeLevels } from '@isotherm/contract/tree'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../shared/form/field.tsx'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { findLevelName } from '../../../shared/nodes/level-name.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { BuildingAddForm } from './building-form.tsx'
import styles from './edit.module.css'
import { GroupAddForm } from './group-form.tsx'

/** Levels that can be added below a node, the next one first: the tree shows buildings below residential areas only. */
function listLevels(above: number, mayAddBuildings: boolean): readonly number[] {
  if (above === treeLevels.residentialArea) return mayAddBuildings ? [treeLevels.building] : []
  return Array.from({ length: treeLevels.residentialArea - above }, (_, index) => above + 1 + index)
}

/** Adds a node below a project or group: first its level, then its values. */
export function AddForm({ above, guard }: { readonly above: NodeRecord; readonly guard: FormGuard }) {
  const { t } = useTranslation('network')
  const { t: common } = useTranslation('common')
  const mayAddBuildings = useMayCall(addSubUser)
  const levels = listLevels(above.level, mayAddBuildings)
  const [level, setLevel] = useState(levels[0])
  if (level === undefined) return <EmptyState title={t('edit.refused')} />
  return (
    <div className={styles.add}>
      {levels.length > 1 && (
        <Field label={t('edit.level')}>
          <Segmented
            size="small"
            value={level}
            data-testid="edit-level"
            options={levels.map((each) => ({
              value: each,
              label: common(`level.${findLevelName(each) ?? 'address'}`),
            }))}
            onChange={setLevel}
          />
        </Field>
      )}
      {level === treeLevels.building ? (
        <BuildingAddForm above={above} guard={guard} />
      ) : (
        <GroupAddForm above={above} level={level} guard={guard} />
      )}
    </div>
  )
}
