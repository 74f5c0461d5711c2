import { addDevGroup, editDevGroup, type GroupItem } from '@isotherm/contract/endpoints/network/groups'
import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { treeLevels } from '@isotherm/contract/tree'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import type { FormField, Option } from '../../../shared/form/form-field.ts'
import { type FormBase, SchemaForm } from '../../../shared/form/schema-form.tsx'
import { findLevelName } from '../../../shared/nodes/level-name.ts'
import { closeTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { reportChange, toAbove } from './node-changes.ts'
import { useNewest } from './use-newest.ts'

function useFields() {
  const { t } = useTranslation('network')
  return [
    { name: 'title', label: t('edit.name'), control: 'text', wrongText: t('edit.wrongName') },
    { name: 'description', label: t('edit.description'), control: 'area', emptyAs: '' },
  ] as const satisfies readonly FormField<string>[]
}

/** Levels of a group, from company to residential area, that are below a level. */
function useLevels(above: number): readonly Option[] {
  const { t } = useTranslation('common')
  const levels: Option[] = []
  for (let level = Math.max(above, treeLevels.group) + 1; level <= treeLevels.residentialArea; level += 1) {
    levels.push({ value: level, label: t(`level.${findLevelName(level) ?? 'address'}`) })
  }
  return levels
}

interface GroupAddFormProps {
  readonly above: NodeRecord
  readonly level: number
  readonly guard: FormGuard
}

/** Adds a company, area, heat station or residential area. */
export function GroupAddForm({ above, level, guard }: GroupAddFormProps) {
  const { t } = useTranslation('network')
  const fields = useFields()
  return (
    <SchemaForm
      schema={addDevGroup.input}
      fields={fields}
      initial={{}}
      fixed={{ parentId: Number(above.node), level }}
      submit={t('edit.add')}
      onSave={async (input) => {
        // The level can be changed after other entries.
        const { title: name } = await call(addDevGroup, { ...input, level })
        reportChange(t('edit.added', { name }), [above.node])
      }}
      onDone={closeTreeEdit}
      {...guard}
    />
  )
}

const toValues = ({ name: title, description, level }: NodeRecord) => ({ title, description, level })

const toBase = (record: NodeRecord): FormBase => ({
  initial: toValues(record),
  fixed: { id: Number(record.node), version: record.version },
})

/** Renames and describes a group, or changes its level. */
export function GroupEditForm({
  record: opened,
  guard,
}: {
  readonly record: NodeRecord
  readonly guard: FormGuard
}) {
  const { t } = useTranslation('network')
  const fields = useFields()
  const levels = useLevels(treeLevels.group)
  const { base: record, reload } = useNewest(opened)
  const id = Number(record.node)
  const undo = (saved: GroupItem) => () =>
    call(editDevGroup, { id, version: saved.version, ...toValues(record) })
  return (
    <SchemaForm
      schema={editDevGroup.input}
      fields={[...fields, { name: 'level', label: t('edit.level'), control: 'select', options: levels }]}
      {...toBase(record)}
      onReload={async () => toBase(await reload())}
      submit={t('edit.save')}
      onSave={async (input) => {
        const saved = await call(editDevGroup, input)
        reportChange(t('edit.saved', { name: saved.title }), [toAbove(record)], undo(saved))
      }}
      onDone={closeTreeEdit}
      {...guard}
    />
  )
}
