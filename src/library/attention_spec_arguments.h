/* The keywords that attention() and its relatives share, read into a spec. */
#ifndef ATTN_LIBRARY_ATTENTION_SPEC_ARGUMENTS_H
#define ATTN_LIBRARY_ATTENTION_SPEC_ARGUMENTS_H

#include "engine/attention/attention.h"
#include "lang/builtin.h"

/* Their declaration, in the order in which spec_from_arguments reads them. */
#define SPEC_PARAMETERS \
    "temperature:number=1 scale:any=\"sqrt\" mask:any=None bias:array?=None position:any=None " \
    "causal:bool=False"
enum { SPEC_PARAMETER_COUNT = 6 };

/* Fills *spec from the parameters at `first`, and the heads and offset at their
 * places. Release with attention_spec_release; on failure nothing is held. */
bool spec_from_arguments(const Call *call, int first, int heads, int offset, AttentionSpec *spec,
                         Error *err);

#endif
