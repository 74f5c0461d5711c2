import { ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { closeTreeEdit, type EditJob, useTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { AddForm } from './add-form.tsx'
import { EditForm } from './edit-form.tsx'
import { MoveForm } from './move-form.tsx'
import { listEditKinds, listRootKinds, nodeRecordQuery } from './node-record.ts'
import { ProjectForm } from './project-form.tsx'
import { RemoveForm } from './remove-form.tsx'

/** The dialogs of the tree editor: add, edit, move and remove a node. */
export default function TreeEditor() {
  const job = useTreeEdit((state) => state.job)
  const { t } = useTranslation('network')
  const isForm = job?.kind === 'add' || job?.kind === 'edit'
  const title = job && t(`edit.title.${job.kind}`, { name: job.name })
  return (
    <>
      <FormDrawer isOpen={isForm} title={title} onClose={closeTreeEdit}>
        {(guard) => job && <Editor key={`${job.kind} ${job.node}`} job={job} guard={guard} />}
      </FormDrawer>
      <Modal
        open={job !== undefined && !isForm}
        title={title}
        footer={null}
        destroyOnHidden
        onCancel={closeTreeEdit}
      >
        {job && !isForm && <Editor key={`${job.kind} ${job.node}`} job={job} />}
      </Modal>
    </>
  )
}

const noGuard: FormGuard = { onDirty: () => {}, onCancel: closeTreeEdit }

/** The form of a job, after the newest record of its node has arrived and allows it. */
function Editor({ job, guard = noGuard }: { readonly job: EditJob; readonly guard?: FormGuard }) {
  const { t } = useTranslation('network')
  const isRoot = job.node === ROOT_KEY
  const permitted = useSession((session) => session.permitted)
  const mayAddProject = listRootKinds(permitted).includes(job.kind)
  const query = useQuery({ ...nodeRecordQuery(job.node), enabled: !isRoot })
  const refused = <EmptyState title={t('edit.refused')} />
  if (isRoot) return mayAddProject ? <ProjectForm guard={guard} /> : refused
  return (
    <Answer query={query}>
      {(record) => {
        if (!listEditKinds(record, permitted).includes(job.kind)) return refused
        if (job.kind === 'add') return <AddForm above={record} guard={guard} />
        if (job.kind === 'edit') return <EditForm record={record} guard={guard} />
        if (job.kind === 'move') return <MoveForm record={record} target={job.target} />
        return <RemoveForm record={record} />
      }}
    </Answer>
  )
}
