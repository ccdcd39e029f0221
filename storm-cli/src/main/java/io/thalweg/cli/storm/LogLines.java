// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** What a topology logs goes to the JDK's logger, which prints it in one line. Of Storm's own classes only warnings do. */
public final class LogLines implements SLF4JServiceProvider {
    /** Names this class to SLF4J, which would take another one. To be called before anything logs. */
    static void use() {
        System.setProperty("slf4j.provider", LogLines.class.getName());
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    private static volatile boolean ending;

    /** From now on Storm's classes for children in other languages are silent: they complain of those that are being ended. */
    static void end() {
        ending = true;
    }

    /** Components that users put into their topologies, such as Flux's LogInfoBolt. */
    private static final Pattern OF_TOPOLOGIES = Pattern.compile("org\\.apache\\.storm\\.(starter|flux\\.wrappers)\\.");

    private static final Pattern OF_CHILDREN = Pattern.compile("org\\.apache\\.storm\\.(task|spout|utils)\\.Shell");

    private final Map<String, Line> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, Line::new);
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    private static final class Line extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        private final boolean storms;
        private final boolean ofChildren;

        Line(String name) {
            this.name = name;
            storms = name.startsWith("org.apache.storm.")
                    && !OF_TOPOLOGIES.matcher(name).lookingAt();
            ofChildren = OF_CHILDREN.matcher(name).lookingAt();
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return !storms;
        }

        @Override
        public boolean isWarnEnabled() {
            return !ofChildren || !ending;
        }

        @Override
        public boolean isErrorEnabled() {
            return !ofChildren || !ending;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        @SuppressWarnings("NullAway") // SLF4J says nothing of nulls
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            java.util.logging.Level as = level == Level.ERROR
                    ? java.util.logging.Level.SEVERE
                    : level == Level.WARN ? java.util.logging.Level.WARNING : java.util.logging.Level.INFO;
            String text = MessageFormatter.basicArrayFormat(pattern, arguments);
            LogRecord line = new LogRecord(as, name.substring(name.lastIndexOf('.') + 1) + ": " + text);
            line.setThrown(thrown);
            line.setLoggerName(name);
            Logger.getLogger(name).log(line);
        }
    }
}
