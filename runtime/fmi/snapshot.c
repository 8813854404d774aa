// States of an instance that an importer keeps (instance.h). Those that it hands back are compared
// with those that the instance has made, and bytes from elsewhere have a checksum and the hash of
// the model, so that nothing wrong becomes a state.
#include "runtime/fmi/instance.h"

#include <stdlib.h>
#include <string.h>

typedef struct Header {
    uint64_t sum;  // of all that follows
    uint64_t code; // tml_model.code
    uint64_t bytes;
    uint64_t steps;
    double time, stop;
    uint32_t phase;
    uint8_t is_set_up, is_begun, unused[2];
} Header;

struct FmuSnapshot {
    FmuSnapshot *next;
    Header header; // then the state, the parameters and the inputs
    char memory[];
};

static size_t memory_bytes(const tml_model *model) {
    return model->state_bytes + model->params_bytes + model->inputs_bytes;
}

static size_t all_bytes(const Fmu *fmu) {
    return sizeof(Header) + memory_bytes(fmu->model);
}

static uint64_t sum_of(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    uint64_t sum = 14695981039346656037U; // FNV-1a
    for (size_t i = 0; i < count; i++) {
        sum = (sum ^ at[i]) * 1099511628211U;
    }
    return sum;
}

// The place that points at the snapshot; NULL, after an error, when it is none of this instance.
static FmuSnapshot **find_snapshot(Fmu *fmu, const void *snapshot) {
    FmuSnapshot **link = &fmu->snapshots;
    while (*link && *link != snapshot) {
        link = &(*link)->next;
    }
    if (!*link) {
        tml_fmu_fail(fmu, "the state is none that this instance has given");
        return NULL;
    }
    return link;
}

// *snapshot, or a new one where that is NULL; NULL after an error.
static FmuSnapshot *place_for(Fmu *fmu, void **snapshot) {
    if (!snapshot) {
        tml_fmu_fail(fmu, "there is no place for the state");
        return NULL;
    }
    if (*snapshot) {
        FmuSnapshot **link = find_snapshot(fmu, *snapshot);
        return link ? *link : NULL;
    }
    FmuSnapshot *made = calloc(1, sizeof(FmuSnapshot) + memory_bytes(fmu->model));
    if (!made) {
        tml_fmu_fail(fmu, "there is no memory for a state");
        return NULL;
    }
    made->next = fmu->snapshots;
    fmu->snapshots = made;
    *snapshot = made;
    return made;
}

FmuStatus tml_fmu_take(Fmu *fmu, void **snapshot) {
    FmuSnapshot *to = place_for(fmu, snapshot);
    if (!to) {
        return FMU_ERROR;
    }
    const tml_model *model = fmu->model;
    to->header = (Header){.code = model->code,
                          .bytes = memory_bytes(model),
                          .steps = fmu->steps,
                          .time = fmu->time,
                          .stop = fmu->stop,
                          .phase = fmu->phase,
                          .is_set_up = fmu->is_set_up,
                          .is_begun = fmu->is_begun};
    char *at = to->memory;
    memcpy(at, fmu->state, model->state_bytes);
    memcpy(at + model->state_bytes, fmu->params, model->params_bytes);
    memcpy(at + model->state_bytes + model->params_bytes, fmu->inputs, model->inputs_bytes);
    return FMU_OK;
}

FmuStatus tml_fmu_restore(Fmu *fmu, const void *snapshot) {
    FmuSnapshot **link = find_snapshot(fmu, snapshot);
    if (!link) {
        return FMU_ERROR;
    }
    const tml_model *model = fmu->model;
    const Header *header = &(*link)->header;
    const char *at = (*link)->memory;
    memcpy(fmu->state, at, model->state_bytes);
    memcpy(fmu->params, at + model->state_bytes, model->params_bytes);
    memcpy(fmu->inputs, at + model->state_bytes + model->params_bytes, model->inputs_bytes);
    fmu->steps = header->steps;
    fmu->time = header->time;
    fmu->stop = header->stop;
    fmu->phase = (FmuPhase)header->phase;
    fmu->is_set_up = header->is_set_up;
    fmu->is_begun = header->is_begun;
    fmu->has_shown = false;
    fmu->is_stale = true;
    fmu->is_trapped = false;
    return FMU_OK;
}

FmuStatus tml_fmu_drop(Fmu *fmu, void **snapshot) {
    if (!snapshot || !*snapshot) {
        return FMU_OK; // as free() of nothing
    }
    FmuSnapshot **link = find_snapshot(fmu, *snapshot);
    if (!link) {
        return FMU_ERROR;
    }
    FmuSnapshot *dropped = *link;
    *link = dropped->next;
    free(dropped);
    *snapshot = NULL;
    return FMU_OK;
}

FmuStatus tml_fmu_bytes(Fmu *fmu, const void *snapshot, size_t *count) {
    if (!find_snapshot(fmu, snapshot)) {
        return FMU_ERROR;
    }
    if (!count) {
        return tml_fmu_fail(fmu, "there is no place for the size of a state");
    }
    *count = all_bytes(fmu);
    return FMU_OK;
}

FmuStatus tml_fmu_write(Fmu *fmu, const void *snapshot, void *bytes, size_t count) {
    FmuSnapshot **link = find_snapshot(fmu, snapshot);
    if (!link) {
        return FMU_ERROR;
    }
    if (!bytes || count != all_bytes(fmu)) {
        return tml_fmu_fail(fmu, "a state has %zu bytes, not %zu", all_bytes(fmu), count);
    }
    char *to = bytes;
    memcpy(to, &(*link)->header, sizeof(Header));
    memcpy(to + sizeof(Header), (*link)->memory, memory_bytes(fmu->model));
    uint64_t sum = sum_of(to + sizeof sum, count - sizeof sum);
    memcpy(to, &sum, sizeof sum);
    return FMU_OK;
}

FmuStatus tml_fmu_read(Fmu *fmu, const void *bytes, size_t count, void **snapshot) {
    Header header;
    const char *from = bytes;
    if (!bytes || count != all_bytes(fmu)) {
        return tml_fmu_fail(fmu, "a state has %zu bytes, not %zu", all_bytes(fmu), count);
    }
    memcpy(&header, from, sizeof header);
    if (header.sum != sum_of(from + sizeof header.sum, count - sizeof header.sum) ||
        header.code != fmu->model->code || header.bytes != memory_bytes(fmu->model)) {
        return tml_fmu_fail(fmu, "the bytes are no state of this model");
    }
    FmuSnapshot *to = place_for(fmu, snapshot);
    if (!to) {
        return FMU_ERROR;
    }
    to->header = header;
    memcpy(to->memory, from + sizeof header, memory_bytes(fmu->model));
    return FMU_OK;
}

void tml_fmu_free(Fmu *fmu) {
    while (fmu->snapshots) {
        FmuSnapshot *next = fmu->snapshots->next;
        free(fmu->snapshots);
        fmu->snapshots = next;
    }
    free(fmu->state); // the first of one block
    free(fmu->name);
    free(fmu);
}
