// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.run.time.EventTimeRules;
import java.util.Map;
import org.apache.flink.util.OutputTag;

/** The output of a user's operator. Records for a side output that is not used are dropped. */
final class Emitter implements Output<Object> {
    private final Stage stage;
    private final Map<String, OutputTag<Object>> sides;

    Emitter(Stage stage, Map<String, OutputTag<Object>> sides) {
        this.stage = stage;
        this.sides = sides;
    }

    @Override
    @SuppressWarnings("NullAway") // a user's operator may emit null
    public void emit(Object value) {
        if (value == null) {
            throw NullValueException.ofEmit();
        }
        try {
            stage.emit(value);
        } catch (Throwable thrown) {
            throw stage.behind(thrown);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // as above
    public void emitAt(long time, Object value) {
        if (value == null) {
            throw NullValueException.ofEmit();
        }
        EventTimeRules.checkEmitAt(time, stage.settings.timedOut(), stage.time);
        try {
            stage.emit(null, value, time, EventTimeRules.stampAt(time, stage.stamp));
        } catch (Throwable thrown) {
            throw stage.behind(thrown);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // as above
    public <S> void emit(SideOutput<S> side, S value) {
        OutputTag<Object> tag = sides.get(side.name());
        if (value == null) {
            throw NullValueException.ofEmit();
        }
        if (tag == null) {
            return;
        }
        try {
            stage.emit(tag, value, stage.time, stage.stamp);
        } catch (Throwable thrown) {
            throw stage.behind(thrown);
        }
    }
}
