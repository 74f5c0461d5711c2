import type { valveExercisesEndpoints } from '@isotherm/contract/endpoints/control/valve-exercises'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { ExercisesService } from './service.ts'

export const createExercisesHandlers = (
  exercises: ExercisesService,
): HandlersOf<keyof typeof valveExercisesEndpoints> => ({
  previewValveExercise: (input, { caller }) => exercises.preview(caller, input),
  addValveExercise: (input, call) => exercises.add(call, input),
  getValveExercises: (input, { caller }) => exercises.list(caller, input),
  getExerciseValves: (input, { caller }) => exercises.listValves(caller, input),
  cancelValveExercise: ({ id }, call) => exercises.cancel(call, id),
})
