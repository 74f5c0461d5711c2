import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { addProject, editProject, type ProjectItem } from '@isotherm/contract/endpoints/network/projects'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import type { FormField } from '../../../shared/form/form-field.ts'
import { type FormBase, SchemaForm } from '../../../shared/form/schema-form.tsx'
import { closeTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { reportChange } from './node-changes.ts'
import { useNewest } from './use-newest.ts'

const PAGE = { page: 1, size: 1_000 }

function useFields() {
  const { t } = useTranslation('network')
  return [
    { name: 'projectName', label: t('edit.name'), control: 'text', wrongText: t('edit.wrongName') },
    { name: 'description', label: t('edit.description'), control: 'area', emptyAs: '' },
  ] as const satisfies readonly FormField<string>[]
}

/** Adds a project. Staff of the provider choose its company, if there are several. */
export function ProjectForm({ guard }: { readonly guard: FormGuard }) {
  const { t } = useTranslation('network')
  const fields = useFields()
  const companies = useQuery({
    queryKey: ['tree-edit', 'companies'],
    queryFn: ({ signal }) => call(getCompanies, { filter: [], limiter: PAGE }, { signal }),
  })
  return (
    <Answer query={companies}>
      {({ datalist }) =>
        datalist.length === 0 ? (
          <EmptyState title={t('edit.noCompany')} />
        ) : (
          <SchemaForm
            schema={addProject.input}
            fields={[
              ...(datalist.length > 1
                ? [
                    {
                      name: 'companyId',
                      label: t('edit.company'),
                      control: 'select',
                      options: datalist.map(({ id, name }) => ({ value: id, label: name })),
                    } as const,
                  ]
                : []),
              ...fields,
            ]}
            initial={{}}
            submit={t('edit.add')}
            onSave={async (input) => {
              const { projectName: name } = await call(addProject, input)
              reportChange(t('edit.added', { name }), [ROOT_KEY])
            }}
            onDone={closeTreeEdit}
            {...guard}
          />
        )
      }
    </Answer>
  )
}

const toValues = ({ name: projectName, description }: NodeRecord) => ({ projectName, description })

const toBase = (record: NodeRecord): FormBase => ({
  initial: toValues(record),
  fixed: { id: Number(record.node), version: record.version },
})

/** Renames and describes a project. */
export function ProjectEditForm({
  record: opened,
  guard,
}: {
  readonly record: NodeRecord
  readonly guard: FormGuard
}) {
  const { t } = useTranslation('network')
  const fields = useFields()
  const { base: record, reload } = useNewest(opened)
  const id = Number(record.node)
  const undo = (saved: ProjectItem) => () =>
    call(editProject, { id, version: saved.version, ...toValues(record) })
  return (
    <SchemaForm
      schema={editProject.input}
      fields={fields}
      {...toBase(record)}
      onReload={async () => toBase(await reload())}
      submit={t('edit.save')}
      onSave={async (input) => {
        const saved = await call(editProject, input)
        reportChange(t('edit.saved', { name: saved.projectName }), [ROOT_KEY], undo(saved))
      }}
      onDone={closeTreeEdit}
      {...guard}
    />
  )
}
